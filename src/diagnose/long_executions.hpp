// Single executions of a computation that make up what a rank computes longer than others.
#pragma once

#include <optional>
#include <vector>

#include "analyze/times/time_rows.hpp"
#include "diagnose/experiment.hpp"

namespace reprise::diagnose {

struct LongExecutions {
  std::vector<analyze::TimeGroup> groups;  // the long ones, and the others [ns]
  Picoseconds excess = 0;  // that the long ones took in all beyond as many of the others
};

// Of the computation before a call on a stream: few executions, one in fifty at most or a single
// one, that take half of `excess` longer than the others do. None: there are none, or the trace
// does not tell. Excesses are those on the simulated machine, groups those of the recorded one.
// REQUIRES: the trace has times. Cost: O(paths x bins).
std::optional<LongExecutions> long_executions(const Experiment& experiment, std::uint32_t call,
                                              std::uint64_t stream, Picoseconds excess);

// The longest executions of a distribution, one in fifty at most, and the others. Empty: no bin
// separates them. Cost: O(bins).
std::vector<analyze::TimeGroup> longest_and_others(const trace::Histogram& histogram);

}  // namespace reprise::diagnose
