// Makes functions whose bodies are equal up to parameters one procedure.
#pragma once

#include "program/program.hpp"

namespace reprise::program {

// Replaces nodes of kind `function` that are met at several places by invocations, the innermost
// first. Differences between the places become parameters, and equal differences share one. A
// function that makes one call stays where it is, one of a line if anything differs, and so does
// one that is invoked once in the end and is short (in_place.hpp). Names are those of the
// functions, numbered where several procedures come of one function. Cost: nodes x slots, a few
// times. REQUIRES: each function says who calls it (callers.hpp).
void find_procedures(Program& program);

}  // namespace reprise::program
