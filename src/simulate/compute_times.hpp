// What each stream computed before each of its calls, by the path that it took there.
//
// The mean of a path on a stream keeps what the stream spent there in all, so the sum over a run is
// the trace's. Drawing keeps the distribution as well (trace/delta_draw.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "simulate/machine.hpp"
#include "trace/delta_draw.hpp"
#include "trace/program.hpp"
#include "trace/seek_cursor.hpp"

namespace reprise::simulate {

enum class Compute : std::uint8_t { none, mean, sampled };

// For all streams. REQUIRES: the trace outlives it. Cost: O(paths x streams) time and memory.
class ComputeTimes {
 public:
  ComputeTimes(const trace::Trace& trace, Compute kind, std::uint64_t seed);

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

  const trace::Trace& trace_;
  Compute kind_;
  std::uint64_t seed_;
  std::vector<std::vector<PathMeans>> calls_;
  std::vector<Picoseconds> durations_;  // by call
};

// For one stream, asked in order. REQUIRES: the times outlive it.
class StreamTimes {
 public:
  StreamTimes(const ComputeTimes& times, std::uint64_t stream) : times_(&times), stream_(stream) {}

  // Before this call, when `previous` was the one before it (trace::Path::kStart: none) [ps].
  Picoseconds before(std::uint32_t call, std::uint32_t previous);

  // As in trace::PassCursor, for the patterns of modes.
  using Mark = std::vector<std::uint64_t>;
  Mark mark() const;
  std::uint64_t repeats(const Mark& before, std::uint64_t limit) const;
  void leap(const Mark& before, std::uint64_t times);

 private:
  struct Pattern {
    std::uint32_t call, path;
    trace::SeekCursor modes;
  };
  struct Draw {
    std::uint32_t call, path;
    trace::PathDraw draw;
  };

  std::uint64_t mode_of(std::uint32_t call, std::uint32_t path);
  Picoseconds drawn(std::uint32_t call, std::uint32_t path);

  const ComputeTimes* times_;
  std::uint64_t stream_;
  std::vector<Pattern> patterns_;  // those met so far, in that order
  std::vector<Draw> draws_;
};

}  // namespace reprise::simulate
