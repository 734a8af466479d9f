// What the machine code of a function tells of the work that it does.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "analyze/symbols/debug_info.hpp"

namespace reprise::analyze {

// Whether the work of functions of one binary depends on their data, as far as their code shows: a
// function has a loop, or always calls a function of the same binary that has.
class Work {
 public:
  // REQUIRES: the binary outlives this.
  explicit Work(const DebugInfo& binary) : binary_(binary) {}

  // Of a function, or an inlined instance of one, that consists of this code. True if the code
  // cannot be read. Cost: O(blocks x calls) of the functions that are looked at.
  bool has_loop(const std::vector<CodeRange>& code, int depth = 0);

 private:
  bool calls_loop(std::uint64_t address, int depth);

  const DebugInfo& binary_;
  std::map<std::uint64_t, bool> known_;  // by address of a function
};

}  // namespace reprise::analyze
