// Numbers of a coNCePTuaL program.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conceptual/program.hpp"

namespace reprise::conceptual {

// What went wrong while the program ran, and where it says so.
struct RunError {
  Place place;
  std::string problem;
};

using Values = std::vector<std::int64_t>;  // by slot

// Integers: division rounds towards zero, as the language has it, and x MOD y is never negative for
// y > 0. Throws RunError for a division by zero and for what does not fit into 64 bits.
std::int64_t evaluate(const Expression& e, const Values& values);

// The same with fractions, as LOG and OUTPUT compute.
double evaluate_real(const Expression& e, const Values& values);

}  // namespace reprise::conceptual
