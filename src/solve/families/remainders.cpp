// (t + rest) % d: what goes round a ring.
#include <algorithm>
#include <bit>

#include "solve/exact.hpp"
#include "solve/family.hpp"

namespace reprise::solve {
namespace {

using expr::Expr;

void modulo(const View& view, const Axis& axis, Reductions& out) {
  const Goal& goal = view.goal();
  const Column d = view.on_rows(view.table().leaf(axis.extent));
  for (std::size_t i = 0; i < d.size(); ++i) {
    if (d[i] < 2 || goal.values[i] < 0 || goal.values[i] >= d[i]) return;
  }
  const Expr extent = Expr::variable(view.table().leaves()[axis.extent].name);
  for (const Term& t : view.terms().all()) {
    if (t.leaves == 0 || (t.leaves & ~goal.leaves) != 0) continue;
    if (!view.take(2 * goal.rows.size())) return;
    for (const int sign : {1, -1}) {
      Column rest(d.size());
      for (std::size_t i = 0; i < d.size(); ++i) {
        rest[i] = floor_remainder(goal.values[i] - sign * t.values[goal.rows[i]], d[i]);
      }
      bool is_simpler = false;
      for (Leaves left = t.leaves; left != 0 && !is_simpler; left &= left - 1) {
        is_simpler = view.is_free_of(static_cast<std::size_t>(std::countr_zero(left)), rest);
      }
      if (!is_simpler) continue;
      const Expr sum = sign > 0 ? t.expression + hole(0) : hole(0) - t.expression;
      out.push_back({sum % extent, t.cost + 12, 0, {{goal.rows, std::move(rest)}}});
    }
  }
}

}  // namespace

void remainders(const View& view, Reductions& out) {
  if (view.goal().leaves == 0) return;
  std::vector<std::size_t> extents;
  for (const Axis& a : view.table().axes()) {
    const LeafKind kind = view.table().leaves()[a.extent].kind;
    const bool is_ring = kind == LeafKind::extent || kind == LeafKind::ranks;
    if (!is_ring || std::ranges::count(extents, a.extent) != 0) continue;
    extents.push_back(a.extent);
    modulo(view, a, out);
  }
}

}  // namespace reprise::solve
