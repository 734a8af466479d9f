// The executions of a call, or the passes of a body, one by one, with the indices of the loops
// around them.
#pragma once

#include <cstdint>
#include <vector>

#include "compress/loop_tree.hpp"
#include "trace/value.hpp"

namespace reprise::extrapolate {

// The items from the root down to one, both included.
std::vector<std::uint32_t> chain_to(const compress::LoopTree& tree, std::uint32_t item);

class Executions {
 public:
  // The trips of each item of a chain on one stream, the outermost first. Nothing: one execution.
  explicit Executions(std::vector<trace::ValueCursor> chain)
      : cursors_(std::move(chain)), trips_(cursors_.size()), indices_(cursors_.size()) {}

  // Goes on to the next execution; false behind the last one. Amortised O(1).
  bool next();

  // By item of the chain: which trip this is, zero-based, and of how many.
  const std::vector<std::int64_t>& indices() const { return indices_; }
  const std::vector<std::int64_t>& trips() const { return trips_; }

 private:
  bool step_out(std::size_t& level);

  std::vector<trace::ValueCursor> cursors_;
  std::vector<std::int64_t> trips_, indices_;
  bool begun_ = false;
};

}  // namespace reprise::extrapolate
