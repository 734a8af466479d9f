// The state of the search for the periodic regime of a loop.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

namespace reprise::simulate {

// Ranks that have communicated, directly or through others: each such component may have its own
// pace.
class Components {
 public:
  void reset(std::size_t ranks) {
    parent_.resize(ranks);
    std::iota(parent_.begin(), parent_.end(), 0u);
  }
  std::uint32_t find(std::uint32_t rank) {
    while (parent_[rank] != rank) rank = parent_[rank] = parent_[parent_[rank]];
    return rank;
  }
  void unite(std::uint32_t a, std::uint32_t b) { parent_[find(a)] = find(b); }

 private:
  std::vector<std::uint32_t> parent_;
};

// A reference state is kept, and every later one is compared with it; after 1, 2, 4, ...
// comparisons the reference is renewed. So a period is found as soon as twice the length of what
// precedes it has passed, whatever it is. Source: Brent 1980, cycle detection.
class RegimeSearch {
 public:
  static constexpr std::uint32_t kNoNode = ~std::uint32_t{0};
  // Passes that are looked at before a loop is given up.
  static constexpr std::uint64_t kMaxLooks = 2048;
  // Loops with fewer passes to go are not worth it.
  static constexpr std::uint64_t kFewest = 16;

  bool is_at(std::uint32_t node) const { return node_ == node; }
  void begin(std::uint32_t node) {
    node_ = node;
    looks_ = since_ = 0;
    limit_ = 1;
  }
  void forget() { node_ = kNoNode; }
  // Another state has been compared. True: it is the reference from now on.
  bool renew() {
    ++looks_;
    if (++since_ < limit_) return false;
    since_ = 0;
    limit_ *= 2;
    return true;
  }
  bool is_hopeless() const { return looks_ >= kMaxLooks; }

 private:
  std::uint32_t node_ = kNoNode;
  std::uint64_t looks_ = 0, since_ = 0, limit_ = 1;
};

}  // namespace reprise::simulate
