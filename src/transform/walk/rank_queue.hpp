// Ranks that wait for their turn, in order, of which any may be taken out.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace reprise::transform {

// Every operation is O(1).
class RankQueue {
 public:
  // All ranks below `n`.
  explicit RankQueue(std::uint64_t n) : links_(n + 1) {
    for (std::uint64_t r = 0; r < n; ++r) push(r);
  }

  bool has(std::uint64_t rank) const { return rank + 1 < links_.size() && links_[rank + 1].in; }

  void push(std::uint64_t rank) {
    if (has(rank)) return;
    Link& l = links_[rank + 1];
    l = {links_[0].before, 0, true};
    links_[l.before].after = rank + 1;
    links_[0].before = rank + 1;
  }

  void remove(std::uint64_t rank) {
    if (!has(rank)) return;
    Link& l = links_[rank + 1];
    links_[l.before].after = l.after;
    links_[l.after].before = l.before;
    l.in = false;
  }

  std::optional<std::uint64_t> pop() {
    if (links_[0].after == 0) return std::nullopt;
    const std::uint64_t rank = links_[0].after - 1;
    remove(rank);
    return rank;
  }

 private:
  struct Link {
    std::uint64_t before = 0, after = 0;
    bool in = false;
  };

  std::vector<Link> links_;  // the first is the ring's beginning and end
};

}  // namespace reprise::transform
