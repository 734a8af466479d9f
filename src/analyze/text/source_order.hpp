// Calls whose order no rank shows, in the order of the program's text.
#pragma once

#include "trace/program.hpp"

namespace reprise::analyze {

// Sorts items of a body by their lines, where no stream executes both in one iteration and both
// stand in one function. The calls of each stream stay the same. REQUIRES: the trace is symbolized.
// Cost: O(items^2 x classes of streams) for the items of a body that exclude each other, each at
// most 4096 passes.
void put_in_source_order(trace::Trace& trace);

}  // namespace reprise::analyze
