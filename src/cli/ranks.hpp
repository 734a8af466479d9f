// Starts the program of ours that runs as the ranks of an MPI job: a replay, a coNCePTuaL program.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace reprise::cli {

struct Ranks {
  std::string program;   // "reprise-replay", without the name of an MPI
  std::string what;      // what messages call it: "replay"
  std::string mpi;       // openmpi or mpich
  std::string launcher;  // with its options; empty: the usual one of that MPI
  std::uint64_t ranks = 1;
  std::vector<std::string> words;  // of the program's command line
};

// Whether the program was built for an MPI.
bool is_built(const std::string& program, const std::string& mpi);

// Becomes the launcher. Returns only by throwing CommandError.
[[noreturn]] void start(const Ranks& ranks);

}  // namespace reprise::cli
