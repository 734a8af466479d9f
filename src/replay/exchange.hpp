// What the ranks of a replay tell each other, unseen by recorders.
#pragma once

#include <string>
#include <vector>

#include "replay/process.hpp"
#include "replay/report.hpp"

namespace reprise::replay {

// The problem of the first rank that has one, on rank 0; on others anything that is not empty.
// Empty everywhere: no rank has a problem.
std::string agree(const std::string& problem, int rank, int size);

// A text of rank 0, for all.
std::string share(std::string text, int rank);

// On rank 0 those of all ranks; elsewhere nothing.
std::vector<Totals> gather(const Totals& totals, const Process& process);

}  // namespace reprise::replay
