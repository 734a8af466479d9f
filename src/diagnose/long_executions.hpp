// Single executions of a computation that make up what a rank computes longer than others.
#pragma once

#include <optional>

#include "analyze/times/time_rows.hpp"
#include "diagnose/experiment.hpp"

namespace reprise::diagnose {

// The executions before a call on a stream, the long ones first, and then the others: where few,
// one in fifty at most or a single one, take half of `excess` longer than the others do. Empty:
// none are so long, or the trace does not tell. REQUIRES: the trace has times. Cost: O(paths x
// bins).
std::vector<analyze::TimeGroup> long_executions(const trace::Trace& trace, std::uint32_t call,
                                                std::uint64_t stream, Picoseconds excess);

// The longest executions of a distribution, one in fifty at most, and the others. Empty: no bin
// separates them. Cost: O(bins).
std::vector<analyze::TimeGroup> longest_and_others(const trace::Histogram& histogram);

}  // namespace reprise::diagnose
