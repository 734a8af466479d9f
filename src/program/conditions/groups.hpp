// Names for sets of streams that conditions use more than once.
#pragma once

#include "program/program.hpp"

namespace reprise::program {

// Sets of four or more streams without a condition that are used twice or more, by conditions or
// cases of values, become the groups A, B and so on; so do long conditions that are used three
// times or more. Cost: slots x streams of such sets.
void find_groups(Program& program);

}  // namespace reprise::program
