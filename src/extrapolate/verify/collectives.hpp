// Whether every member of a communicator makes the same collective calls on it: as often each, with
// one root, one operation, and as many bytes where all have to move as many.
#pragma once

#include "extrapolate/inputs/communicators.hpp"
#include "extrapolate/inputs/type_sizes.hpp"

namespace reprise::extrapolate {

// Also initialization and the end of MPI, which all processes take part in. Windows and files are
// left out. Cost: O(ranks x calls) where nothing varies.
void check_collectives(const trace::Trace& trace, const Communicators& communicators,
                       const mpi::TypeSizes& types, Budget& budget, Findings& findings);

}  // namespace reprise::extrapolate
