// How long calls took, and what was computed between them (design: "time").
//
// A *delta* is a duration that recurs: *compute*, from the end of one MPI call to the begin of the
// next, kept apart by the call that came before (a *path*), so that entering a loop, going round it
// and leaving it do not mix; and *communicate*, the duration of a call. Deltas of all executions on
// all streams take constant space: histograms of a few classes of streams that resemble each other.
// What every single stream spent is kept as well, exactly, unless that was declined.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "trace/times/histogram.hpp"
#include "trace/values/value.hpp"

namespace reprise::trace {

// One delta, over the executions of all streams.
struct DeltaTimes {
  static constexpr double kConcordant = 0.5;

  std::vector<Histogram> classes;  // of streams; none if no stream came this way
  Series class_of;                 // by stream, if there are two classes or more
  Series counts;                   // by stream: executions
  // By stream: what it spent [ns], or, where there is a step, how many steps it spent beyond what
  // its class takes for so many executions. Empty: declined.
  Series sums;
  std::uint64_t sum_step = 0;    // [ns]; 0: sums are exact
  std::uint64_t min_stream = 0;  // where the minimum of all occurred first
  std::uint64_t max_stream = 0;
  // How much of the variation over executions the streams have in common, 0 to 1: whether those
  // that are long on one stream are the ones that are long on the others (intraclass correlation).
  double concordance = 0;

  // Whether what the streams have in common decides how long they wait for each other.
  bool is_concordant() const { return concordance >= kConcordant; }
  // All classes in one. Its count, sum, min and max are exact.
  Bin total() const;
  Histogram together() const;  // with as many bins as a histogram may have
  std::uint64_t count_of(std::uint64_t stream) const;
  // Total of a stream [ns], a whole number; estimated by its class if sums were declined.
  double sum_of(std::uint64_t stream) const;
  // What its class takes for as many executions [ns], a whole number.
  double estimate_of(std::uint64_t stream) const;
  // The class that a stream is in; null if it never came this way.
  const Histogram* class_for(std::uint64_t stream) const;
};

// By which call a call was reached.
struct Path {
  static constexpr std::uint32_t kStart = ~std::uint32_t{0};    // none: the first of its stream
  static constexpr std::uint32_t kAny = ~std::uint32_t{0} - 1;  // paths are not kept apart

  std::uint32_t from = kAny;  // index into Trace::calls
  DeltaTimes compute;
  // Durations that come in groups, by a pattern: each group for itself, without sums of single
  // streams, and the group of each execution by this path. Two groups at least, or none.
  std::vector<DeltaTimes> modes;
  Value mode_of;
};

struct CallTimes {
  DeltaTimes communicate;
  std::vector<Path> paths;
  // By which path each execution came: index into `paths`. Always 0 if there is but one; kNone if
  // this takes more than kMaxArrivals to write down.
  Value arrivals;

  static constexpr std::size_t kMaxArrivals = 64;  // [bytes]
  bool knows_arrivals() const { return !(arrivals.is_constant() && arrivals.by_stream.at(0) < 0); }

  // The path from a call, or null.
  const Path* path_from(std::uint32_t call) const;
};

enum class TimeMode : std::uint8_t { none, stats, histogram, paths };

// As the option --time of `reprise record` has it.
std::string_view name_of(TimeMode mode);

// How times were taken.
struct Timing {
  TimeMode mode = TimeMode::none;
  std::string clock;  // "tsc", "monotonic" or "wtime"
  std::uint64_t recorder =
      0;  // what the recorder itself took, over all streams; not in any delta [ns]
  // How long ranks were ready to run and had no core, over all of them, as the kernel counts it for
  // their first threads; it is in their deltas. 0 where the kernel does not count it [ns].
  std::uint64_t core_wait = 0;
  // To which durations are kept [millionths] (compress/times/reduce_times.hpp says how); 0:
  // exactly.
  std::uint64_t precision = 0;
  std::uint64_t compute_step = 0;  // DeltaTimes::sum_step where it is not 0
  std::uint64_t communicate_step = 0;

  void encode(ByteWriter& out) const;
  static Timing decode(ByteReader& in);
};

}  // namespace reprise::trace
