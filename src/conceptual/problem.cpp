#include "conceptual/problem.hpp"

namespace reprise::conceptual {

std::string describe(const std::string& file, const Problem& problem) {
  return file + ":" + std::to_string(problem.at.line) + ":" + std::to_string(problem.at.column) +
         ": " + problem.text;
}

}  // namespace reprise::conceptual
