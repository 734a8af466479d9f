#include <algorithm>
#include <cmath>

#include "infer/grid.hpp"

namespace reprise::infer {
namespace {

using Extents = std::vector<std::int64_t>;

std::optional<Extents> power(std::int64_t ranks, std::size_t dimensions) {
  const auto near = static_cast<std::int64_t>(
      std::llround(std::pow(static_cast<double>(ranks), 1.0 / static_cast<double>(dimensions))));
  std::int64_t product = 1;
  for (std::size_t i = 0; i < dimensions; ++i) product *= near;
  if (product != ranks) return std::nullopt;
  return Extents(dimensions, near);
}

// Ascending.
Extents balanced(std::int64_t ranks, std::size_t dimensions) {
  Extents factors;
  for (std::int64_t p = 2; p * p <= ranks; ++p) {
    for (; ranks % p == 0; ranks /= p) factors.push_back(p);
  }
  if (ranks > 1) factors.push_back(ranks);
  Extents extents(dimensions, 1);
  for (auto p = factors.rbegin(); p != factors.rend(); ++p) {
    *std::min_element(extents.begin(), extents.end()) *= *p;
  }
  std::sort(extents.begin(), extents.end());
  return extents;
}

// Ascending; the least extent is chosen from above, then the others.
void closest_below(std::int64_t ranks, std::size_t left, Extents& chosen, Extents& best) {
  if (left == 1) {
    chosen.push_back(ranks);
    Extents sorted = chosen;
    std::sort(sorted.begin(), sorted.end());
    const auto spread = [](const Extents& e) { return e.back() - e.front(); };
    if (best.empty() || spread(sorted) < spread(best)) best = sorted;
    chosen.pop_back();
    return;
  }
  const auto root = static_cast<std::int64_t>(
      std::pow(static_cast<double>(ranks), 1.0 / static_cast<double>(left)) + 1e-9);
  int tried = 0;
  for (std::int64_t d = root; d >= 1 && tried < 8; --d) {
    if (ranks % d != 0) continue;
    ++tried;
    chosen.push_back(d);
    closest_below(ranks / d, left - 1, chosen, best);
    chosen.pop_back();
  }
}

Extents closest(std::int64_t ranks, std::size_t dimensions) {
  Extents chosen;
  Extents best;
  closest_below(ranks, dimensions, chosen, best);
  return best;
}

// In the order in which they are chosen, which is not always ascending.
Extents greedy(std::int64_t ranks, std::size_t dimensions) {
  const auto is_within_root = [&](std::int64_t side, std::size_t left) {
    std::int64_t power = 1;
    for (std::size_t i = 0; i < left && power <= ranks; ++i) power *= side;
    return power <= ranks;
  };
  Extents out;
  for (std::size_t left = dimensions; left > 0; --left) {
    std::int64_t extent = left == 1 ? ranks : 1;
    for (std::int64_t side = 2; left > 1 && is_within_root(side, left); ++side) {
      if (ranks % side == 0) extent = side;
    }
    out.push_back(extent);
    ranks /= extent;
  }
  return out;
}

}  // namespace

std::optional<Extents> GridRule::extents(std::int64_t ranks) const {
  Extents out;
  switch (kind) {
    case Kind::line: return Extents{ranks};
    case Kind::power: return power(ranks, dimensions);
    case Kind::balanced: out = balanced(ranks, dimensions); break;
    case Kind::closest: out = closest(ranks, dimensions); break;
    case Kind::greedy: out = greedy(ranks, dimensions); break;
    case Kind::fixed:
      if (ranks % fixed_extent != 0) return std::nullopt;
      out = balanced(ranks / fixed_extent, dimensions - 1);
      break;
    case Kind::listed: {
      const auto found = std::find_if(listed.begin(), listed.end(),
                                      [&](const World& w) { return w.ranks == ranks; });
      if (found == listed.end()) return std::nullopt;
      return found->extents;
    }
  }
  if (!smallest_first) std::reverse(out.begin(), out.end());
  if (kind == Kind::fixed) {
    out.insert(out.begin() + static_cast<std::ptrdiff_t>(fixed_dimension), fixed_extent);
  }
  return out;
}

std::string GridRule::describe() const {
  const std::string size = std::to_string(dimensions) + "-D";
  const std::string order = smallest_first ? ", d0 least" : ", d0 greatest";
  switch (kind) {
    case Kind::line: return "line";
    case Kind::power: return dimensions == 2 ? "square" : dimensions == 3 ? "cube" : size + " cube";
    case Kind::balanced: return "balanced " + size + order;
    case Kind::closest: return "closest " + size + order;
    case Kind::greedy: return "greedy " + size + order;
    case Kind::fixed:
      return size + " with d" + std::to_string(fixed_dimension) + " = " +
             std::to_string(fixed_extent) + (dimensions > 2 ? order : "");
    case Kind::listed: return size + ", no rule";
  }
  return {};
}

std::string extents_text(std::span<const std::int64_t> extents) {
  std::string out;
  for (auto e = extents.rbegin(); e != extents.rend(); ++e)
    out += (out.empty() ? "" : "x") + std::to_string(*e);
  return out;
}

std::vector<Extents> factorizations(std::int64_t ranks, std::size_t dimensions) {
  if (dimensions == 1) {
    return ranks > 1 ? std::vector<Extents>{{ranks}} : std::vector<Extents>{};
  }
  std::vector<Extents> out;
  for (std::int64_t d = 2; d <= ranks / 2; ++d) {
    if (ranks % d != 0) continue;
    for (Extents& rest : factorizations(ranks / d, dimensions - 1)) {
      rest.insert(rest.begin(), d);
      out.push_back(std::move(rest));
    }
  }
  return out;
}

}  // namespace reprise::infer
