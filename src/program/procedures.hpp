// Functions whose bodies are equal up to parameters, as procedures that are shown once.
#pragma once

#include "program/program.hpp"

namespace reprise::program {

// Replaces nodes of kind `function` that are met at several places by invocations, the innermost
// first. What differs between the places becomes a parameter; what differs in the same way becomes
// one. A function of one line has to have a name, and to be the same everywhere. Names are those of
// the functions, numbered where several procedures come of one function. Cost: nodes x slots, a few
// times. REQUIRES: each function says who calls it (callers.hpp).
void find_procedures(Program& program);

}  // namespace reprise::program
