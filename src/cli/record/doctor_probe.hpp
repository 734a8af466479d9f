// What a rank of a command finds on its node: `reprise doctor` runs itself in place of the program.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace reprise::cli {

struct Probe {
  std::string host;
  bool has_recorder = false;                   // the recorder was loaded into the process
  std::set<int> cores;                         // that it may run on
  bool has_counter = false;                    // the time-stamp counter can serve as a clock
  std::optional<std::uint64_t> shared_memory;  // free in /dev/shm [bytes]; nothing: there is none
};

// Prints what this process finds on a line of stdout. `recorder`: the name of its library.
void print_probe(const std::string& recorder);

// Runs the command with a probe in place of each MPI program and its arguments. An empty result: no
// rank came to run it. Throws CommandError.
std::vector<Probe> probe(const std::vector<std::string>& command, const std::string& mpi);

}  // namespace reprise::cli
