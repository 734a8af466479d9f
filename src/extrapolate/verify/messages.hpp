// Whether the messages of a trace come out even: between each two ranks of a communicator, with
// each tag, as many are received as are sent, and there is room for them.
//
// A receive with a wildcard takes any of the messages that others leave over; what is demanded
// then is what every matching of sends and receives fulfils.
#pragma once

#include "extrapolate/inputs/communicators.hpp"
#include "extrapolate/inputs/type_sizes.hpp"

namespace reprise::extrapolate {

// Ranks outside of their communicators are findings too. Cost: O(ranks x calls) where nothing
// varies; memory for the messages of a share of the receivers at a time, and next to none where all
// comes out even and nothing is a wildcard.
void check_messages(const trace::Trace& trace, const Communicators& communicators,
                    const mpi::TypeSizes& types, Budget& budget, Findings& findings);

}  // namespace reprise::extrapolate
