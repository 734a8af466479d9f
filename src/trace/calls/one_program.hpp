// Whether traces are of one program: whether they have call sites in common.
#pragma once

#include <set>
#include <string>
#include <utility>

#include "base/result.hpp"
#include "trace/program.hpp"

namespace reprise::trace {

class OneProgram {
 public:
  // Fails if less than half of the call sites are those of the first trace, of the one that has
  // fewer: code that runs on some numbers of ranks alone is less than that. `name`: of its file.
  // Cost: O(n log n) for n calls.
  Status add(const Trace& trace, const std::string& name);

 private:
  using Site = std::pair<FunctionId, std::string>;  // function, full_path()

  std::string first_;  // the name of the first trace
  std::set<Site> sites_;
  bool has_first_ = false;
};

}  // namespace reprise::trace
