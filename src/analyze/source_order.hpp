// Calls whose order no rank shows, in the order of the program's text.
#pragma once

#include "trace/program.hpp"

namespace reprise::analyze {

// Exchanges neighbours in a body of which no stream executes both in one pass, if they stand in one
// function, and the line of the first behind that of the second. What each stream does stays as it
// is. REQUIRES: the trace is symbolised. Cost: O(items^2 x classes of streams) for the items of a
// body that exclude each other, each at most 4096 passes.
void put_in_source_order(trace::Trace& trace);

}  // namespace reprise::analyze
