#include "extrapolate/inputs/executions.hpp"

#include <algorithm>

namespace reprise::extrapolate {

std::vector<std::uint32_t> chain_to(const compress::LoopTree& tree, std::uint32_t item) {
  std::vector<std::uint32_t> chain{item};
  while (chain.back() != 0) chain.push_back(tree.items[chain.back()].parent);
  std::ranges::reverse(chain);
  return chain;
}

// Begins the next trip of the innermost item above `level` that has one left.
bool Executions::step_out(std::size_t& level) {
  while (level > 0 && indices_[level - 1] + 1 >= trips_[level - 1]) --level;
  if (level == 0) return false;
  ++indices_[level - 1];
  return true;
}

bool Executions::next() {
  std::size_t level = 0;
  if (begun_) {
    level = cursors_.size();
    if (!step_out(level)) return false;
  }
  begun_ = true;
  while (level < cursors_.size()) {
    if (!toll_.pay()) return false;
    const std::int64_t trips = cursors_[level].next();
    if (trips > 0) {
      trips_[level] = trips;
      indices_[level++] = 0;
    } else if (!step_out(level)) {
      return false;
    }
  }
  return true;
}

}  // namespace reprise::extrapolate
