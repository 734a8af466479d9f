// Calls that a stream makes several times: which they are, and as loops of one call, so that they
// can reach a steady state like other loops.
#pragma once

#include <optional>
#include <vector>

#include "trace/program.hpp"

namespace reprise::simulate {

// The trace with calls that a stream may make `least` times in a row as loops around them. Nothing:
// there are none. Cost: O(size of the trace).
std::optional<trace::Trace> with_call_loops(const trace::Trace& trace, std::int64_t least);

// By call, whether a stream may make it more than once. Cost: O(size of the trace).
std::vector<bool> repeated_calls(const trace::Trace& trace);

}  // namespace reprise::simulate
