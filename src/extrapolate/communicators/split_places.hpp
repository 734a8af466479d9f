// The rank in a communicator that MPI_Comm_split creates, and its size: a law, or the result of
// color and key.
//
// A law that holds on all inputs may be wrong elsewhere: inputs with nodes of four ranks do not
// show the behavior with a node of three. Color and key determine both completely (MPI 3.1, section
// 6.4.2).
#pragma once

#include <span>

#include "extrapolate/scalable.hpp"

namespace reprise::extrapolate {

// Compares the laws of ranks and sizes with the results of colors and keys, on numbers of ranks
// beyond the inputs and on the target unless it is large. Where they differ, colors and keys are
// used (Law::Form::placed). Cost: that of instantiating a dozen times, on a few more ranks than the
// inputs have.
void settle_places(Scalable& program, std::span<const trace::Trace> traces, const Request& request);

}  // namespace reprise::extrapolate
