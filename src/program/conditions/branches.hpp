// Unites neighboring nodes with the same condition on ranks to one branch, and makes the complement
// of the preceding branch its `otherwise`.
#pragma once

#include "program/program.hpp"

namespace reprise::program {

// Cost: nodes x streams.
void find_branches(Program& program);

}  // namespace reprise::program
