// Unites equal conditions on iterations.
#pragma once

#include "program/program.hpp"

namespace reprise::program {

// A loop that is skipped in some iterations of the loop around it becomes one in a condition on
// these; neighbors of several lines that are in the same iterations stand in one condition,
// whichever ranks execute them. A condition around all that a function does is put around its call.
// Cost: nodes x terms.
void find_iterations(Program& program);

}  // namespace reprise::program
