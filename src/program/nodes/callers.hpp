// The callers of the functions that contain nodes.
#pragma once

#include "program/program.hpp"
#include "program/values/values.hpp"

namespace reprise::program {

// Every node of kind `function` gets the streams that do anything in it, as its condition where
// that makes those within shorter; functions that do nothing but call another one become that one
// (`between`). Cost: nodes x streams, once for each function around them.
void find_callers(Program& program, const Values& values);

// The same by conditions alone, where the number of ranks is open.
void find_callers(Program& program);

}  // namespace reprise::program
