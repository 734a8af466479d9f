// Where the trace of this MPI job goes, of the several that one command may run.
#pragma once

#include <mpi.h>

#include <string>

#include "record/options.hpp"
#include "record/part_file.hpp"

namespace reprise::record {

struct Claim {
  std::string output;  // where the trace goes
  std::string file;    // that tells `reprise record` so; empty: nobody is told
};

// The first job of a command writes to the output of the options, the n-th to OUTPUT.job-n;
// processes that a job spawned write to OUTPUT.spawned-n. Jobs number themselves by files in the
// folder that REPRISE_CLAIMS names, n and spawned-n, which hold a word on what became of the trace
// and the name of the output, a line each; where there
// is none, a job takes the first number that has no trace yet, or one that the options let it
// replace, and says which if that is not the first. Numbers under which another recording is under
// way are passed over. Creates the part of this rank, if checkpoints are wanted. Collective over
// `comm`.
Claim claim_output(const Options& options, PartFile& part, MPI_Comm comm);

// Says in a claim where the trace goes.
void note_claim(const std::string& file, const std::string& output);

// Says in a claim that there is no trace of all ranks.
void note_failure(const std::string& file);

}  // namespace reprise::record
