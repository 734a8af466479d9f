#include "solve/holders.hpp"

#include <bit>

namespace reprise::solve {
namespace {

constexpr std::uint32_t kOfOthers = 6;  // [bits]: without the first, or the last

// All ranks but the first, or but the last: workers among which that one divides the work.
void add_others(const Axis& axis, const View& view, std::vector<Holder>& out) {
  const Holder all = out.back();
  if (view.table().leaves()[axis.extent].kind != LeafKind::ranks) return;
  Holder others = all;
  others.d = all.d - expr::Expr(1);
  others.cost = all.cost + kOfOthers;
  for (std::int64_t& d : others.of) --d;
  bool has_first = false, has_last = false;
  for (std::size_t i = 0; i < all.at.size(); ++i) {
    has_first = has_first || all.at[i] == 0;
    has_last = has_last || all.at[i] == all.of[i] - 1;
  }
  if (!has_last) out.push_back(others);
  if (has_first) return;
  others.x = all.x - expr::Expr(1);
  for (std::int64_t& x : others.at) --x;
  out.push_back(std::move(others));
}

}  // namespace

std::vector<Holder> holders(const View& view) {
  const Table& table = view.table();
  const Leaves needed = view.goal().leaves;
  std::vector<Holder> out;
  for (const Axis& axis : table.axes()) {
    const Leaves parts = table.parts_of(axis.coordinate);
    if ((parts & table.varying()) == 0 || (parts & ~needed) != 0) continue;
    out.push_back({.x = expr::Expr::variable(table.leaves()[axis.coordinate].name),
                   .d = expr::Expr::variable(table.leaves()[axis.extent].name),
                   .at = view.on_rows(table.leaf(axis.coordinate)),
                   .of = view.on_rows(table.leaf(axis.extent)),
                   .leaves = parts,
                   .kind = table.leaves()[axis.coordinate].kind});
    add_others(axis, view, out);
  }
  for (const Term& t : view.terms().all()) {
    if (t.expression.op() != expr::Op::modulo || (t.leaves & ~needed) != 0) continue;
    if (std::popcount(t.leaves) < 2) continue;
    const auto extent = table.evaluate(t.expression.operands()[1]);
    if (!extent) continue;
    out.push_back({.x = t.expression,
                   .d = t.expression.operands()[1],
                   .at = view.on_rows(t.values),
                   .of = view.on_rows(*extent),
                   .leaves = t.leaves,
                   .cost = t.cost,
                   .is_moving = true});
  }
  return out;
}

}  // namespace reprise::solve
