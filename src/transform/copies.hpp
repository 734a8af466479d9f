// Call sites that a compiler copied: it peels loops, unswitches them, and threads jumps past
// branches, and then one line of the program calls MPI from several addresses, between which ranks
// go to and fro as their neighbors have it. Recorded call paths are addresses, so that each copy
// is a place of its own and the loop around them is torn up.
#pragma once

#include "base/result.hpp"
#include "trace/program.hpp"

namespace reprise::transform {

// Whether calls of one function stand at several call paths that have the same frames.
// REQUIRES: the trace is symbolized.
bool has_copies(const trace::Trace& trace);

// The trace with such calls as one, unless more bytes then tell how often loops and branches are
// taken where that is not the same on all ranks each time, or as many and loops have more passes,
// as where a program has two calls on one line: then the trace as it was. Times are those of
// refold(). Fails for damage, and beyond `most` calls of all streams together. Cost: all calls.
Result<trace::Trace> unite_copies(const trace::Trace& trace, std::uint64_t most);

}  // namespace reprise::transform
