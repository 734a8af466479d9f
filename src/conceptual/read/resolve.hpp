// Gives every variable of a program its slot and checks what can be checked before it runs: names,
// numbers of arguments, and that nothing that has to be the same for all tasks is a function of
// what differs between them.
#pragma once

#include "conceptual/ast.hpp"

namespace reprise::conceptual {

// Throws Problem.
void resolve(Program& program);

}  // namespace reprise::conceptual
