// Whether the messages of a trace match: between each two ranks of a communicator, with each tag,
// as many are received as are sent, and they fit the buffers.
//
// A receive with a wildcard takes any of the remaining messages; the check then requires only
// conditions that hold for every matching of sends and receives.
#pragma once

#include "extrapolate/verify/communicators.hpp"
#include "extrapolate/verify/type_sizes.hpp"

namespace reprise::extrapolate {

// Ranks outside of their communicators are findings too. Cost: O(ranks x calls) where nothing
// varies; memory for the messages of a share of the receivers at a time, and hardly any where all
// messages match without wildcards.
void check_messages(const trace::Trace& trace, const Communicators& communicators,
                    const mpi::TypeSizes& types, Budget& budget, Findings& findings);

}  // namespace reprise::extrapolate
