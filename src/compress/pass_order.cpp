#include "compress/pass_order.hpp"

#include <bit>
#include <compare>

#include "base/contract.hpp"

namespace reprise::compress {
namespace {

struct Cost {
  std::uint64_t back = 0;     // steps back: passes that begin
  std::uint64_t partial = 0;  // how far from the ends the loop is entered and left, summed

  auto operator<=>(const Cost&) const = default;
  Cost operator+(const Cost& c) const { return {back + c.back, partial + c.partial}; }
};

}  // namespace

Sites pass_order(const FlowGraph& graph, const Sites& sites) {
  REPRISE_REQUIRE(sites.size() <= kMaxPassSites);
  const std::size_t n = sites.size();
  const auto is_outside = [&sites](std::uint32_t s) {
    return std::ranges::find(sites, s) == sites.end();
  };
  std::vector<std::vector<std::uint64_t>> steps(n);  // [n x n], from and to
  std::vector<std::uint64_t> enter, leave;
  for (std::size_t i = 0; i < n; ++i) {
    for (const std::uint32_t to : sites) steps[i].push_back(graph.steps(sites[i], to));
    enter.push_back(graph.steps_from(is_outside, sites[i]));
    leave.push_back(graph.steps_to(is_outside, sites[i]));
  }
  // Of placing site i behind those of a set.
  const auto cost_of = [&](std::size_t set, std::size_t i) {
    const auto place = static_cast<std::uint64_t>(std::popcount(set));
    Cost cost{0, place * enter[i] + (n - 1 - place) * leave[i]};
    for (std::size_t j = 0; j < n; ++j) cost.back += (set >> j & 1) != 0 ? steps[i][j] : 0;
    return cost;
  };
  const std::size_t all = (std::size_t{1} << n) - 1;
  std::vector<Cost> rest(all + 1);  // of placing all others behind a set, at best
  for (std::size_t set = all; set-- > 0;) {
    bool first = true;
    for (std::size_t i = 0; i < n; ++i) {
      if ((set >> i & 1) != 0) continue;
      const Cost cost = cost_of(set, i) + rest[set | std::size_t{1} << i];
      if (first || cost < rest[set]) rest[set] = cost;
      first = false;
    }
  }
  Sites out;
  for (std::size_t set = 0; set != all;) {
    std::size_t i = 0;
    while ((set >> i & 1) != 0 || cost_of(set, i) + rest[set | std::size_t{1} << i] != rest[set])
      ++i;
    out.push_back(sites[i]);
    set |= std::size_t{1} << i;
  }
  return out;
}

}  // namespace reprise::compress
