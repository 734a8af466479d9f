// The name of the trace of an MPI job: one command may run several jobs at once or in turn.
#pragma once

#include <mpi.h>

#include <string>

#include "base/result.hpp"
#include "record/lifetime/part_file.hpp"
#include "record/options.hpp"

namespace reprise::record {

struct Claim {
  std::string output;  // the name of the trace
  std::string own;     // of this rank's own trace
  std::string file;    // tells `reprise record` that name; empty: there is no command to tell
};

// The first job of a command writes to the output of the options, the n-th to OUTPUT.job-n;
// processes that a job spawned write to OUTPUT.spawned-n. Jobs number themselves by creating files
// in the folder that REPRISE_CLAIMS names, n and spawned-n:
//   claim := ("good  " | "failed") "\n" output "\n"
// Without that folder a job takes the first number whose trace does not exist yet, or may be
// replaced by the options, and reports it if it is not 1. Numbers that another running recording
// has are skipped; where files cannot be created there, which is reported, it is as without the
// folder. Names the part of this rank, and creates it if the options want checkpoints. The result
// is that of this rank; if rank 0 has an error, all have one. Collective over `comm`.
Result<Claim> claim_output(const Options& options, PartFile& part, MPI_Comm comm) noexcept;

// Writes the name of the trace into a claim.
void note_claim(const std::string& file, const std::string& output);

// Marks a claim as failed: there is no trace of all ranks. Needs no space on the disk.
void note_failure(const std::string& file);

}  // namespace reprise::record
