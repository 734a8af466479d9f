// The times of several traces, delta by delta, on their common call sites.
#pragma once

#include <span>
#include <vector>

#include "extrapolate/inputs/align.hpp"

namespace reprise::extrapolate {

// One delta of a program (trace/times/times.hpp): computation before a call of a site, apart by the
// site before, or the time in the call.
struct Delta {
  enum class What : std::uint8_t { compute, communicate };

  std::uint32_t site = 0;
  What what = What::compute;
  std::uint32_t from = trace::Path::kAny;  // a site, Path::kStart or Path::kAny; of computation

  auto operator<=>(const Delta&) const = default;
};

// Of one run. [ranks] where it says so.
struct DeltaSample {
  std::size_t run = 0;
  std::vector<std::uint64_t> counts;  // [ranks] executions
  std::vector<double> sums;           // [ranks] [ns]
  std::vector<trace::Bin> bins;       // of single executions, ascending [ns]
  double concordance = 0;

  double mean() const;  // over all executions [ns]
};

// One delta in all runs that have it.
struct DeltaSamples {
  Delta delta;
  std::vector<DeltaSample> runs;  // by ranks, ascending
  // Where all runs distinguish groups of executions by one pattern: each group.
  std::vector<DeltaSamples> modes;
  trace::Series mode_of;
};

// How the histograms of the classes of ranks become one.
enum class RankClasses : std::uint8_t {
  brought_to_one_mean,  // what varies over ranks is left to what each rank spent
  as_they_are
};

// Computation of each site by each path and, if it has several, over all paths (kAny), and
// communication. REQUIRES: all traces have times, of one kind.
std::vector<DeltaSamples> sample_times(const Aligned& inputs, std::span<const trace::Trace> traces,
                                       RankClasses classes);

}  // namespace reprise::extrapolate
