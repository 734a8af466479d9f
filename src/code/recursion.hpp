// Recursion in the control flow of a function, as loops.
#pragma once

#include "code/flow.hpp"

namespace reprise::code {

// The flow with calls of the function itself as jumps: from the call to where the function begins,
// and from where it returns to behind the call. What stands before the call is then a loop that
// goes down level by level, and what stands behind it one that comes up again, as the two halves of
// a multigrid cycle do. Call paths fold recursion in the same way (record/calls/callpaths).
Flow with_recursion_as_loops(Flow flow);

}  // namespace reprise::code
