// Recursion in the control flow of a function, as loops.
#pragma once

#include "code/flow.hpp"

namespace reprise::code {

// The flow with calls of the function by itself as jumps: from the call to the function's entry,
// and from its returns to the code behind the call. The code before the call is then a loop down
// the levels, and the code behind it a loop up, as the two halves of a multigrid cycle are. Call
// paths fold recursion in the same way (record/calls/callpaths). Cost: O(calls x log blocks +
// returns x calls) for calls of itself.
Flow with_recursion_as_loops(Flow flow);

}  // namespace reprise::code
