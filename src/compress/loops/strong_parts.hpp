// The strongly connected parts of some sites of a graph (Tarjan 1972), without recursion.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace reprise::compress {

using Sites = std::vector<std::uint32_t>;

class StrongParts {
 public:
  // Of a graph of n sites.
  explicit StrongParts(std::size_t n)
      : number_(n, 0), low_(n, 0), on_stack_(n, false), part_of_(n, 0) {}

  // Parts of the graph that `sites` are with the edges between them; `is_member(t)` tells those.
  // Each part comes behind all that it leads to. Cost: O(sites + edges).
  template <class IsMember>
  std::vector<Sites> find(const Sites& sites, const std::vector<Sites>& successors,
                          const IsMember& is_member);

  // The same in a topological order: each part before all that it leads to, and of those that could
  // come next the one with the least `rank` of a site. Cost: O((sites + edges) log sites).
  template <class IsMember>
  std::vector<Sites> find_in_order(const Sites& sites, const std::vector<Sites>& successors,
                                   const IsMember& is_member,
                                   const std::vector<std::uint32_t>& rank);

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
  std::vector<std::uint32_t> part_of_;  // by site, in find_in_order
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

template <class IsMember>
std::vector<Sites> StrongParts::find_in_order(const Sites& sites,
                                              const std::vector<Sites>& successors,
                                              const IsMember& is_member,
                                              const std::vector<std::uint32_t>& rank) {
  std::vector<Sites> parts = find(sites, successors, is_member);
  std::vector<std::uint32_t> waits(parts.size(), 0), first(parts.size(), ~0u);
  for (std::uint32_t i = 0; i < parts.size(); ++i) {
    for (const std::uint32_t s : parts[i]) {
      part_of_[s] = i;
      first[i] = std::min(first[i], rank[s]);
    }
  }
  const auto for_each_next = [&](std::uint32_t part, const auto& visit) {
    for (const std::uint32_t s : parts[part]) {
      for (const std::uint32_t t : successors[s]) {
        if (is_member(t) && part_of_[t] != part) visit(part_of_[t]);
      }
    }
  };
  for (std::uint32_t i = 0; i < parts.size(); ++i) {
    for_each_next(i, [&](std::uint32_t next) { ++waits[next]; });
  }
  using Ready = std::pair<std::uint32_t, std::uint32_t>;  // (least rank, part)
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
  for (std::uint32_t i = 0; i < parts.size(); ++i) {
    if (waits[i] == 0) ready.emplace(first[i], i);
  }
  std::vector<Sites> ordered;
  while (!ready.empty()) {
    const std::uint32_t part = ready.top().second;
    ready.pop();
    for_each_next(part, [&](std::uint32_t next) {
      if (--waits[next] == 0) ready.emplace(first[next], next);
    });
    ordered.push_back(parts[part]);
  }
  return ordered;
}

}  // namespace reprise::compress
