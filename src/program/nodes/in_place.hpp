// Inlines procedures that are invoked at one place only.
#pragma once

#include "program/program.hpp"

namespace reprise::program {

// Procedures within others may be left with one invocation, as those of all places but the first
// are dropped with the bodies that were the same. Such a procedure becomes a node of kind
// `function`, unless it is long: then it breaks the flow of what invokes it. Cost: nodes, once for
// each such procedure.
void put_in_place(Program& program);

}  // namespace reprise::program
