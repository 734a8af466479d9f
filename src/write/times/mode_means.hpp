// Modes of a path (trace/times/times.hpp) as a mean for each execution, and what each stream takes
// beside it.
#pragma once

#include <vector>

#include "write/times/by_stream.hpp"
#include "write/times/noticed.hpp"

namespace reprise::write::times {

struct ModeMeans {
  Streams models;                          // by stream of the call: whose modes it follows
  std::vector<std::vector<double>> means;  // by stream of the call and mode [ns]
  std::vector<double> sums;                // what a stream takes if all executions take these [ns]
  double left = 0;           // of the variance within modes, beside what the sums of streams tell
  bool are_noticed = false;  // and explain enough of how executions vary
};

// REQUIRES: the path has modes. `streams`: those that execute the call, ascending.
ModeMeans mode_means(const trace::Path& path, const Streams& streams, const Noticed& noticed);

// The mean of the mode of each execution [ns], of `all` streams.
trace::Value means_by_execution(const trace::Path& path, const ModeMeans& modes,
                                const Streams& streams, std::uint64_t all);

// The factor that each stream takes beside them [1/1000]; empty: nobody notices.
Numbers shares(const trace::Path& path, const ModeMeans& modes, const Streams& streams,
               const Noticed& noticed);

}  // namespace reprise::write::times
