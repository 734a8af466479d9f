// Neighbors under the same condition on ranks as one branch, and the complement of a branch behind
// it as its `otherwise`.
#pragma once

#include "program/program.hpp"

namespace reprise::program {

// Cost: nodes x streams.
void find_branches(Program& program);

}  // namespace reprise::program
