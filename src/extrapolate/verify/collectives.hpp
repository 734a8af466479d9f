// Whether every member of a communicator makes the same collective calls on it: the same number of
// each, with one root, one operation, and equal numbers of bytes where MPI requires that.
#pragma once

#include "extrapolate/verify/communicators.hpp"
#include "extrapolate/verify/type_sizes.hpp"

namespace reprise::extrapolate {

// Also initialization and the end of MPI, which all processes take part in. Windows and files are
// left out. Cost: O(ranks x calls) where nothing varies.
void check_collectives(const trace::Trace& trace, const Communicators& communicators,
                       const mpi::TypeSizes& types, Budget& budget, Findings& findings);

}  // namespace reprise::extrapolate
