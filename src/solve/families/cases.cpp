// One law where a condition holds, another where it does not: at a border, in the first iteration.
#include <bit>

#include "solve/family.hpp"

namespace reprise::solve {
namespace {

using expr::Expr;
using expr::Op;

constexpr std::uint32_t kCondition = 16;  // [bits]: the family, the axis, which of its places

void split(const View& view, const Expr& condition, const std::vector<bool>& holds,
           Reductions& out) {
  const Goal& goal = view.goal();
  Goal yes, no;
  for (std::size_t i = 0; i < holds.size(); ++i) {
    Goal& side = holds[i] ? yes : no;
    side.rows.push_back(goal.rows[i]);
    side.values.push_back(goal.values[i]);
  }
  if (yes.rows.empty() || no.rows.empty()) return;
  // One side has to be simple, or conditions would be taken off for ever.
  const auto is_simple = [&](const Goal& side) {
    return std::popcount(view.table().needed(side.rows, side.values)) + 1 <
               std::popcount(goal.leaves) ||
           side.is_constant();
  };
  if (!is_simple(yes) && !is_simple(no)) return;
  out.push_back({Expr::conditional(condition, hole(0), hole(1)),
                 kCondition,
                 0,
                 {std::move(yes), std::move(no)}});
}

}  // namespace

void cases(const View& view, Reductions& out) {
  const Goal& goal = view.goal();
  const std::size_t n = goal.values.size();
  for (const Axis& axis : view.table().axes()) {
    if ((goal.leaves & bit(axis.coordinate)) == 0) continue;
    const Expr x = Expr::variable(view.table().leaves()[axis.coordinate].name);
    const Expr d = Expr::variable(view.table().leaves()[axis.extent].name);
    std::vector<bool> first(n), last(n), odd(n);
    for (std::size_t i = 0; i < n; ++i) {
      const std::int64_t at = view.leaf(axis.coordinate, i);
      first[i] = at == 0;
      last[i] = at == view.leaf(axis.extent, i) - 1;
      odd[i] = at % 2 != 0;
    }
    split(view, Expr::make(Op::equal, x, Expr(0)), first, out);
    split(view, Expr::make(Op::equal, x, d - Expr(1)), last, out);
    split(view, Expr::make(Op::equal, x % Expr(2), Expr(1)), odd, out);
  }
}

}  // namespace reprise::solve
