// Merges what all ranks recorded into one trace when the run ends: first what the ranks must agree
// on, then their streams. The steps themselves are in compress/process.hpp.
#pragma once

#include <mpi.h>

#include <optional>

#include "compress/process.hpp"

namespace reprise::record {

// Returns the trace of the whole run on rank 0, nothing elsewhere. Collective over `channel`, which
// has all ranks of the world in their order; a rank that ran out of memory takes part without a
// process. Throws std::runtime_error on all ranks if any rank or message failed.
std::optional<trace::Trace> gather(std::optional<compress::Process> process, MPI_Comm channel);

}  // namespace reprise::record
