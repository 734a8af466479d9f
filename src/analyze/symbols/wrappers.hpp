// Finds the functions through which a program reaches MPI: my_Allreduce(), or a communication
// layer. docs/wrappers.md has the rule and its reasons.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "trace/program.hpp"

namespace reprise::analyze {

// The wrappers of a trace. `has_loop`: whether the function that a frame lies in has a loop, or
// always calls one that has; true if that is unknown.
// REQUIRES: the trace is symbolized. Cost: O(n log n) for n frames of all call paths together, for
// each layer of wrappers on another.
std::vector<trace::Wrapper> find_wrappers(const trace::Trace& trace,
                                          const std::function<bool(std::uint32_t)>& has_loop);

}  // namespace reprise::analyze
