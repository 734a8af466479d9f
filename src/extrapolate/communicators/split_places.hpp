// The rank in what an MPI_Comm_split makes, and its size: a law, or what color and key say.
//
// A law that holds on all inputs may be wrong elsewhere: nodes of four ranks, of which no input has
// one of three, tell nothing of that. But color and key leave nothing open (MPI 3.1,
// section 6.4.2).
#pragma once

#include <span>

#include "extrapolate/scalable.hpp"

namespace reprise::extrapolate {

// Holds the laws of ranks and sizes against what colors and keys make of them, on numbers of ranks
// beyond the inputs and on the one that is wanted unless it is large. Where they differ, colors and
// keys have the word (Law::Form::placed). Cost: that of instantiating a dozen times, on a few more
// ranks than the inputs have.
void settle_places(Scalable& program, std::span<const trace::Trace> traces, const Request& request);

}  // namespace reprise::extrapolate
