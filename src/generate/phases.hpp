// Traces whose loops are others than those of the program, for languages in which a statement
// speaks of all ranks at once: the same call is several.
#pragma once

#include "base/result.hpp"
#include "trace/program.hpp"

namespace reprise::generate {

// Loops begin at collectives of all: a call is another one behind another collective. Ranks that go
// round a loop differently, such as the corners of a wavefront, then still come to the collectives
// of all in the same passes of the same loops.
// REQUIRES: one thread a rank, collectives are aligned. Fails for damage. Cost: all calls; the
// result has as many calls as there are pairs of a call and a collective before it.
Result<trace::Trace> split_phases(const trace::Trace& trace);

// A call is another one behind a collective on another communicator. What goes down from
// communicator to communicator, on some ranks further than on others, is then no loop any more.
// REQUIRES: the same. Fails for damage. Cost: all calls; the result has as many calls as there are
// pairs of a call and a communicator.
Result<trace::Trace> split_communicators(const trace::Trace& trace);

}  // namespace reprise::generate
