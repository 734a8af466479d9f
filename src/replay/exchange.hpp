// What the ranks of a replay tell each other, unseen by recorders.
#pragma once

#include <string>
#include <vector>

#include "replay/process.hpp"
#include "replay/report.hpp"

namespace reprise::replay {

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
double most(double number, const Process& process);

// On rank 0 those of all ranks; elsewhere nothing.
std::vector<Totals> gather(const Totals& totals, const Process& process);

}  // namespace reprise::replay
