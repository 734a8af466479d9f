// A trace whose loops begin at collectives of all: the same call is another one behind another
// collective. Ranks that go round a loop differently, such as the corners of a wavefront, then
// still come to the collectives of all in the same passes of the same loops.
#pragma once

#include "base/result.hpp"
#include "trace/program.hpp"

namespace reprise::generate {

// REQUIRES: one thread a rank, collectives are aligned. Fails for damage. Cost: all calls; the
// result has as many calls as there are pairs of a call and a collective before it.
Result<trace::Trace> split_phases(const trace::Trace& trace);

}  // namespace reprise::generate
