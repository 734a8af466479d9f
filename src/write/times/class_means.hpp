// One mean for each class of ranks, of all paths to a call together.
#pragma once

#include <vector>

#include "trace/program.hpp"
#include "write/times/detail.hpp"

namespace reprise::write::times {

// The mean computation before a call [ns] by stream; below 0: the stream never makes it. With
// Detail::ranks, streams that are in the same class on every path are one, and such that resemble
// each other as a trace has it (compress/times/merged_times.hpp); with Detail::mean, all are.
// REQUIRES: the trace has times of the call. `detail` is not `full`.
std::vector<double> class_means(const trace::Trace& trace, std::uint32_t call, Detail detail);

}  // namespace reprise::write::times
