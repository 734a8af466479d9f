// Where the trace of this MPI job goes, of the several that one command may run.
#pragma once

#include <mpi.h>

#include <string>

namespace reprise::record {

// The first job of a command writes to `output`, the n-th to `output`.job-n; processes that a job
// spawned write to `output`.spawned-n. Jobs number themselves by files `claims`-n and
// `claims`.spawned-n, which whoever runs the command removes afterwards; without such a place
// (`claims` is empty) a job takes the first number that has no trace yet.
// Collective over `comm`.
std::string claim_output(const std::string& output, const std::string& claims, MPI_Comm comm);

}  // namespace reprise::record
