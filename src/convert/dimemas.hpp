// Dimemas's trace (.dim), as version 5.5 reads it: records of each task one after the other, a
// table of where they begin, and in the header where that table is.
#pragma once

#include <string>

#include "convert/steps.hpp"
#include "convert/text_file.hpp"

namespace reprise::convert {

// Dimemas's number of a collective. MPI_Reduce has a model of its own there, so that what is
// reduced goes by the number of MPI_Reduce_scatter_block; what makes communicators goes by that of
// MPI_Scatterv, and what only waits by that of MPI_Gatherv.
inline constexpr int kReduceAs = 13, kMakingAs = 5, kFreeAs = 3;
int dimemas_number_of(simulate::Collective kind);

// Whether a message waits for its receive is left to the simulator's eager limit, but for
// synchronous sends. What a call sends and receives itself (MPI_Sendrecv, a collective) is written
// so that no limit makes it a deadlock.
void write_dimemas(const Steps& steps, const std::string& name, TextFile& out,
                   const RanksWritten& progress = nullptr);

}  // namespace reprise::convert
