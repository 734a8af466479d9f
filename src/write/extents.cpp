#include "write/extents.hpp"

#include <algorithm>

namespace reprise::write {

using infer::GridRule;

std::optional<Extents> extents_of(const program::Grid& grid) {
  Extents out;
  const bool are_known = std::ranges::none_of(grid.extents, [](const expr::Expr& e) {
    return e.is_variable() && e.name() != expr::kRanks;
  });
  if (are_known) {
    out.of.assign(grid.extents.begin(), grid.extents.end());
    return out;
  }
  const GridRule& rule = *grid.rule;
  const bool is_fixed = rule.kind == GridRule::Kind::fixed;
  if (rule.kind != GridRule::Kind::balanced && !is_fixed) return std::nullopt;
  const std::size_t n = rule.dimensions - (is_fixed ? 1 : 0);
  out.balanced = {.parts = is_fixed ? rule.fixed_extent : 1, .extents = n};
  std::size_t next = 0;
  for (std::size_t d = 0; d < rule.dimensions; ++d) {
    if (is_fixed && d == rule.fixed_dimension) {
      out.of.emplace_back(expr::Expr(rule.fixed_extent));
    } else {
      out.of.emplace_back(rule.smallest_first ? next : n - 1 - next);
      ++next;
    }
  }
  return out;
}

}  // namespace reprise::write
