// The loops around a place in the tree, and what each entry into one of them sees again.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "trace/program.hpp"

namespace reprise::analyze {

// Whether the first n values of a series come again every `period` values; of more than 4096 as far
// as the folded form tells, which has one repeat then.
bool recurs(const trace::Series& series, std::uint64_t period, std::uint64_t n);

class SurroundingLoops {
 public:
  void enter(const trace::Item& item) { items_.push_back(&item); }
  void leave() { items_.pop_back(); }

  // Of `n` executions of the place on a stream, those of one entry into the innermost loop of which
  // all entries are alike: as many executions e each, and `same(e)`. `n` if no loop is like that.
  // Cost: O(depth^2 x terms).
  std::uint64_t executions_shown(std::uint64_t stream, std::uint64_t n,
                                 const std::function<bool(std::uint64_t)>& same) const;

 private:
  std::uint64_t executions_of_entry(std::size_t loop, std::uint64_t stream,
                                    const std::vector<std::uint64_t>& arrivals) const;

  std::vector<const trace::Item*> items_;  // the outermost first
};

}  // namespace reprise::analyze
