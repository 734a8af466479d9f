// Brings what all ranks recorded together, over a binary tree of messages: first what they must
// agree on, then the values. The steps themselves are in compress/process.hpp.
#pragma once

#include <mpi.h>

#include <optional>

#include "compress/process.hpp"

namespace reprise::record {

// What a process has opened: MPI as a whole, or sessions alone.
enum class MpiModel : std::uint8_t { world, sessions };

// The communicator on which that happens: one of our own, over all processes by their ranks in the
// world. Collective over them. Where sessions alone are open it comes from one of our own, which
// keeps MPI running until the channel is closed; null if it cannot be made.
MPI_Comm open_channel(MpiModel model);
void close_channel(MPI_Comm comm, MpiModel model);

struct Run {
  std::uint64_t name = 0;  // that its ranks share and no other run has
  std::uint64_t age = 0;   // since a moment that is one for all ranks [ns]
};
// Collective over `comm`.
Run name_run(MPI_Comm comm);

// The lowest rank for which `failed` holds, -1 if there is none. Collective over `comm`.
int first_failed(bool failed, MPI_Comm comm);

// The trace of the whole run on rank 0, nothing elsewhere. Collective over `comm`, which has all
// ranks of the world in their order; a rank that has nothing takes part with nothing. Throws on all
// of them if any rank or message failed.
std::optional<trace::Trace> gather(std::optional<compress::Process> process, MPI_Comm comm);

}  // namespace reprise::record
