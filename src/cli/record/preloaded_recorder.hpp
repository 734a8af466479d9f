// The recorder that is preloaded into a command.
#pragma once

#include <string>

#include "cli/record/launch.hpp"

namespace reprise::cli {

// The value of an environment variable; empty if it is not set.
std::string present(const char* variable);

// What LD_PRELOAD is to hold for an MPI, and the folder that it is searched in, unless it is a
// path.
struct Preloaded {
  std::string library, folder;
};

// Throws CommandError if there is none for the MPI.
Preloaded preloaded_for(const std::string& mpi, bool posix_io);

// The recorder for an MPI, behind what is preloaded anyway: tools that stand before MPI_ functions
// and call PMPI_ ones come to it, and sanitizers must be first. Throws CommandError.
void preload(const std::string& mpi, bool posix_io, Variables& out);

}  // namespace reprise::cli
