// Unites neighboring nodes with the same condition on ranks to one branch, makes the complement of
// the preceding branch its `otherwise`, and puts neighboring branches into one on what their
// conditions have in common: "if (a && b) .. if (a && !b) .." is "if (a) if (b) .. else ..".
#pragma once

#include "program/conditions/condition.hpp"
#include "program/program.hpp"

namespace reprise::program {

// `conditions`: of the program's ranks; null: their number is open, and nothing is looked for in
// common. Cost: nodes x streams, and conditions of neighboring branches together.
void find_branches(Program& program, Conditions* conditions);

}  // namespace reprise::program
