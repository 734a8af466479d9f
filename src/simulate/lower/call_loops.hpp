// Makes repeated calls loops of one call, so that they can reach a steady state like other loops.
#pragma once

#include <optional>

#include "trace/program.hpp"

namespace reprise::simulate {

// The trace with calls that a stream may make `least` times in a row as loops around them. Nothing:
// there are none. Cost: O(size of the trace).
std::optional<trace::Trace> with_call_loops(const trace::Trace& trace, std::int64_t least);

}  // namespace reprise::simulate
