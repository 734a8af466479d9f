// Merges what all ranks recorded into one trace when the run ends: first what the ranks must agree
// on, then their streams. The steps themselves are in compress/process.hpp.
#pragma once

#include <mpi.h>

#include <optional>

#include "base/result.hpp"
#include "compress/process.hpp"

namespace reprise::record {

// Returns the trace of the whole run on rank 0, nothing elsewhere; if any rank or message failed,
// the same reason on all ranks. Collective over `channel`, which has all ranks of the world in
// their order; a rank that ran out of memory takes part without a process.
Result<std::optional<trace::Trace>> gather(Result<compress::Process> process,
                                           MPI_Comm channel) noexcept;

}  // namespace reprise::record
