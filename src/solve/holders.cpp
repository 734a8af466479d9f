#include "solve/holders.hpp"

#include <bit>

namespace reprise::solve {

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
