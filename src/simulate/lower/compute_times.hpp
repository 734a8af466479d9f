// The compute time of each stream before each of its calls, by path.
//
// The mean of a path on a stream keeps what the stream spent there in all, so the sum over a run is
// the trace's. Drawing keeps the distribution as well (trace/draw/delta_draw.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "simulate/machine/machine.hpp"
#include "trace/draw/delta_draw.hpp"
#include "trace/program.hpp"
#include "trace/series/seek_cursor.hpp"

namespace reprise::simulate {

enum class Compute : std::uint8_t { none, mean, sampled };

// By call and stream, what computation before the call is multiplied with; empty, or of a call
// empty: 1.
using Factors = std::vector<std::vector<double>>;
// By call and stream, the most that one execution computes before the call; empty, or of a call
// empty: no limit [ps].
using Limits = std::vector<std::vector<Picoseconds>>;

// For all streams. REQUIRES: the trace outlives it. Cost: O(paths x streams) time and memory.
class ComputeTimes {
 public:
  ComputeTimes(const trace::Trace& trace, Compute kind, std::uint64_t seed, Factors factors = {},
               Limits limits = {}, std::optional<std::uint32_t> only_sampled = {});

  // Of all executions of all calls on a stream, by the trace [ps].
  Picoseconds total(std::uint64_t stream) const;
  // The mean duration of a call on all streams [ps].
  Picoseconds duration(std::uint32_t call) const { return durations_[call]; }

 private:
  friend class StreamTimes;

  // A path, and where it has modes, one of them.
  struct Means {
    std::vector<Picoseconds> by_stream;
  };
  struct PathMeans {
    std::uint32_t from;
    Means all;
    std::vector<Means> modes;
  };

  bool is_sampled(std::uint32_t call) const {
    return kind_ == Compute::sampled && (!only_sampled_ || *only_sampled_ == call);
  }

  const trace::Trace& trace_;
  Compute kind_;
  std::uint64_t seed_;
  std::optional<std::uint32_t> only_sampled_;
  std::vector<std::vector<PathMeans>> calls_;
  Factors factors_;                     // an entry for each call
  Limits limits_;                       // likewise
  std::vector<Picoseconds> durations_;  // by call
};

// For one stream, asked in order. REQUIRES: the times outlive it.
class StreamTimes {
 public:
  StreamTimes(const ComputeTimes& times, std::uint64_t stream) : times_(&times), stream_(stream) {}

  // Before the stream's next call, which is this one [ps].
  Picoseconds next(std::uint32_t call);
  // The last call that was asked for; trace::Path::kStart: none.
  std::uint32_t previous() const { return previous_; }

  // As in trace::PassCursor, for the patterns of modes.
  using Mark = std::vector<std::uint64_t>;
  Mark mark() const;
  std::uint64_t repeats(const Mark& before, std::uint64_t limit) const;
  void leap(const Mark& before, std::uint64_t times);

 private:
  // A path to a call, by index into CallTimes::paths.
  struct PathTo {
    std::uint32_t call, path;

    bool operator==(const PathTo&) const = default;
  };
  struct Pattern {
    PathTo of;
    trace::SeekCursor modes;
  };
  struct Draw {
    PathTo of;
    trace::PathDraw draw;
  };

  std::uint64_t mode_of(PathTo of);
  Picoseconds drawn(PathTo of);
  const trace::Path& path(PathTo of) const { return times_->trace_.times[of.call].paths[of.path]; }

  const ComputeTimes* times_;
  std::uint64_t stream_;
  std::vector<Pattern> patterns_;  // those met so far, in that order
  std::vector<Draw> draws_;
  std::uint32_t previous_ = trace::Path::kStart;
};

}  // namespace reprise::simulate
