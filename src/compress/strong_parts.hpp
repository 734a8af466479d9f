// The strongly connected parts of some sites of a graph (Tarjan 1972), without recursion.
#pragma once

#include <cstdint>
#include <vector>

namespace reprise::compress {

using Sites = std::vector<std::uint32_t>;

class StrongParts {
 public:
  // Of a graph of n sites.
  explicit StrongParts(std::size_t n) : number_(n, 0), low_(n, 0), on_stack_(n, false) {}

  // Parts of the graph that `sites` are with the edges between them; `is_member(t)` tells those.
  // Each part comes behind all that it leads to. Cost: O(sites + edges).
  template <class IsMember>
  std::vector<Sites> find(const Sites& sites, const std::vector<Sites>& successors,
                          const IsMember& is_member);

 private:
  struct Visit {
    std::uint32_t site;
    std::size_t edge;
  };

  void enter(std::uint32_t site) {
    number_[site] = low_[site] = ++counter_;
    stack_.push_back(site);
    on_stack_[site] = true;
    visits_.push_back({site, 0});
  }

  Sites pop_part(std::uint32_t root) {
    Sites part;
    do {
      part.push_back(stack_.back());
      on_stack_[stack_.back()] = false;
      stack_.pop_back();
    } while (part.back() != root);
    return part;
  }

  // By site; all zero between two calls.
  std::vector<std::uint32_t> number_, low_;
  std::vector<bool> on_stack_;
  Sites stack_;
  std::vector<Visit> visits_;
  std::uint32_t counter_ = 0;
};

template <class IsMember>
std::vector<Sites> StrongParts::find(const Sites& sites, const std::vector<Sites>& successors,
                                     const IsMember& is_member) {
  std::vector<Sites> parts;
  counter_ = 0;
  for (const std::uint32_t start : sites) {
    if (number_[start] != 0) continue;
    enter(start);
    while (!visits_.empty()) {
      const std::uint32_t s = visits_.back().site;
      if (visits_.back().edge < successors[s].size()) {
        const std::uint32_t t = successors[s][visits_.back().edge++];
        if (!is_member(t)) continue;
        if (number_[t] == 0) {
          enter(t);
        } else if (on_stack_[t]) {
          low_[s] = low_[s] < number_[t] ? low_[s] : number_[t];
        }
        continue;
      }
      visits_.pop_back();
      if (!visits_.empty()) {
        const std::uint32_t outer = visits_.back().site;
        low_[outer] = low_[outer] < low_[s] ? low_[outer] : low_[s];
      }
      if (low_[s] == number_[s]) parts.push_back(pop_part(s));
    }
  }
  for (const std::uint32_t s : sites) number_[s] = low_[s] = 0;
  return parts;
}

}  // namespace reprise::compress
