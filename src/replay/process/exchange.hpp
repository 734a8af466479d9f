// What the ranks of a replay tell each other, unseen by recorders.
#pragma once

#include <string>
#include <vector>

#include "replay/process/process.hpp"
#include "replay/report.hpp"

namespace reprise::replay {

// Whether MPI_Init was called, by the program or by the replay.
inline bool is_mpi_open() {
  int is_open = 0;
  MPI_Initialized(&is_open);
  return is_open != 0;
}

// Opens the channel: where the recording of any rank has sessions, one that lasts when the world
// ends. False: it cannot be opened. Collective.
bool open_channel(Process& process);
void close_channel(Process& process);

// The problem of the first rank that has one, on rank 0; on others anything that is not empty.
// Empty everywhere: no rank has a problem.
std::string agree(const std::string& problem, const Process& process);

// A text of rank 0, for all.
std::string share(std::string text, const Process& process);

// The largest number that a rank has, everywhere.
double max_over_ranks(double number, const Process& process);

// On rank 0 those of all ranks; elsewhere nothing.
std::vector<Totals> gather(const Totals& totals, const Process& process);

}  // namespace reprise::replay
