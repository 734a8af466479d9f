// Functions whose bodies are equal up to parameters, as procedures that are shown once.
#pragma once

#include "program/program.hpp"

namespace reprise::program {

// Replaces nodes of kind `function` that are met at several places by invocations, the innermost
// first. What differs between the places becomes a parameter; what differs in the same way becomes
// one. A function that makes one call stays where it is, one of a line if anything differs, and so
// does one that is invoked once in the end and is short (in_place.hpp). Names are those of the
// functions, numbered where several procedures come of one function. Cost: nodes x slots, a few
// times. REQUIRES: each function says who calls it (callers.hpp).
void find_procedures(Program& program);

}  // namespace reprise::program
