// GOAL, the language of LogGOPSim and ATLAHS (Hoefler, Siebert, Lumsdaine 2009): each rank has
// operations, and says which need which.
#pragma once

#include "convert/steps.hpp"
#include "convert/text_file.hpp"

namespace reprise::convert {

void write_goal(const Steps& steps, TextFile& out, const RanksWritten& progress = nullptr);

}  // namespace reprise::convert
