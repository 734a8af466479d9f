// One law where a condition holds, another where it does not: at a border, in the first iteration.
#include <map>
#include <optional>
#include <set>

#include "solve/family.hpp"

namespace reprise::solve {
namespace {

using expr::Expr;
using expr::Op;

constexpr std::uint32_t kCondition = 16;        // [bits]: the family, the axis, which of its places
constexpr std::size_t kMostTurns = 32;          // with a law each
constexpr std::uint32_t kTurns = 8, kTurn = 6;  // [bits]: the family, the axis; each of them

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
  out.push_back({Expr::conditional(condition, hole(0), hole(1)),
                 kCondition,
                 0,
                 {std::move(yes), std::move(no)}});
}

// A law for each turn of a loop that has as many everywhere: the directions of a stencil, the
// phases of a step.
void by_value(const View& view, std::size_t leaf, Reductions& out) {
  const Goal& goal = view.goal();
  std::map<std::int64_t, Goal> turns;
  std::map<std::size_t, std::set<std::int64_t>> of_run;
  for (std::size_t i = 0; i < goal.rows.size(); ++i) {
    const std::int64_t x = view.leaf(leaf, i);
    if (!turns.contains(x) && turns.size() == kMostTurns) return;
    turns[x].rows.push_back(goal.rows[i]);
    turns[x].values.push_back(goal.values[i]);
    of_run[view.table().run(goal.rows[i])].insert(x);
  }
  if (turns.size() < 2) return;
  for (const auto& [run, seen] : of_run) {
    if (seen.size() != turns.size()) return;
  }
  const Expr x = Expr::variable(view.table().leaves()[leaf].name);
  std::optional<Expr> form;
  std::vector<Goal> rest;
  for (auto& [value, turn] : turns) rest.push_back(std::move(turn));
  std::size_t k = turns.size();
  for (auto turn = turns.rbegin(); turn != turns.rend(); ++turn) {
    --k;
    form = form ? Expr::conditional(Expr::make(Op::equal, x, Expr(turn->first)), hole(k), *form)
                : hole(k);
  }
  const auto n = static_cast<std::uint32_t>(turns.size());
  out.push_back({*form, kTurns + n * kTurn, 0, std::move(rest)});
}

}  // namespace

void turns(const View& view, Reductions& out) {
  for (std::size_t l = 0; l < view.table().leaves().size(); ++l) {
    if ((view.goal().leaves & bit(l)) == 0) continue;
    const LeafKind kind = view.table().leaves()[l].kind;
    if (kind == LeafKind::index || kind == LeafKind::element) by_value(view, l, out);
  }
}

void cases(const View& view, Reductions& out) {
  const Goal& goal = view.goal();
  const std::size_t n = goal.values.size();
  for (std::size_t l = 0; l < view.table().leaves().size(); ++l) {
    if ((goal.leaves & bit(l)) == 0) continue;
    const Expr x = Expr::variable(view.table().leaves()[l].name);
    std::vector<bool> first(n), odd(n);
    for (std::size_t i = 0; i < n; ++i) {
      first[i] = view.leaf(l, i) == 0;
      odd[i] = view.leaf(l, i) % 2 != 0;
    }
    split(view, Expr::make(Op::equal, x, Expr(0)), first, out);
    split(view, Expr::make(Op::equal, x % Expr(2), Expr(1)), odd, out);
  }
  for (const Axis& axis : view.table().axes()) {
    if ((goal.leaves & bit(axis.coordinate)) == 0) continue;
    const Expr x = Expr::variable(view.table().leaves()[axis.coordinate].name);
    const Expr d = Expr::variable(view.table().leaves()[axis.extent].name);
    std::vector<bool> last(n);
    for (std::size_t i = 0; i < n; ++i) {
      last[i] = view.leaf(axis.coordinate, i) == view.leaf(axis.extent, i) - 1;
    }
    split(view, Expr::make(Op::equal, x, d - Expr(1)), last, out);
  }
}

}  // namespace reprise::solve
