// One law where a condition holds, another where it does not: at a border, in the first iteration.
#include <algorithm>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <utility>

#include "solve/family.hpp"

namespace reprise::solve {
namespace {

using expr::Expr;
using expr::Op;

constexpr std::uint32_t kCondition = 16;        // [bits]: the family, the axis, which of its places
constexpr std::uint32_t kTwoValues = 12;        // [bits]: the family
constexpr std::size_t kMostParts = 32;          // with a law each
constexpr std::uint32_t kParts = 8, kPart = 6;  // [bits]: the family, the axis; each of them
constexpr std::uint32_t kLongestStretch = 14;   // [bits] of how many iterations each has

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

// What has two values in a run has the larger one where some condition holds.
void by_value(const View& view, Reductions& out) {
  const Goal& goal = view.goal();
  if (goal.is_condition()) return;
  std::map<std::size_t, std::set<std::int64_t>> values;  // by run
  for (std::size_t i = 0; i < goal.rows.size(); ++i) {
    auto& of_run = values[view.table().run(goal.rows[i])];
    of_run.insert(goal.values[i]);
    if (of_run.size() > 2) return;
  }
  Goal is_large, large, small;
  for (std::size_t i = 0; i < goal.rows.size(); ++i) {
    const auto& of_run = values[view.table().run(goal.rows[i])];
    if (of_run.size() < 2) continue;  // which of them it is the condition says
    const bool is_larger = goal.values[i] == *of_run.rbegin();
    is_large.rows.push_back(goal.rows[i]);
    is_large.values.push_back(is_larger ? 1 : 0);
    Goal& side = is_larger ? large : small;
    side.rows.push_back(goal.rows[i]);
    side.values.push_back(goal.values[i]);
  }
  if (is_large.rows.empty()) return;
  out.push_back({Expr::conditional(hole(0), hole(1), hole(2)),
                 kTwoValues,
                 0,
                 {std::move(is_large), std::move(large), std::move(small)}});
}

// Iterations of a loop, or stretches of them, that are as many in each run: the directions of a
// stencil, the phases of a step.
struct Parts {
  Expr number;  // which of them
  Column at;    // [rows of the goal]
  std::uint32_t cost = 0;
};

// One law for each of them.
void by_part(const View& view, const Parts& parts, Reductions& out) {
  const Goal& goal = view.goal();
  std::map<std::int64_t, Goal> goals;
  std::map<std::size_t, std::set<std::int64_t>> of_run;
  for (std::size_t i = 0; i < goal.rows.size(); ++i) {
    const std::int64_t x = parts.at[i];
    if (!goals.contains(x) && goals.size() == kMostParts) return;
    goals[x].rows.push_back(goal.rows[i]);
    goals[x].values.push_back(goal.values[i]);
    of_run[view.table().run(goal.rows[i])].insert(x);
  }
  if (goals.size() < 2) return;
  for (const auto& [run, seen] : of_run) {
    if (seen.size() != goals.size()) return;
  }
  std::optional<Expr> form;
  std::size_t k = goals.size();
  for (auto part = goals.rbegin(); part != goals.rend(); ++part) {
    --k;
    const Expr is_it = Expr::make(Op::equal, parts.number, Expr(part->first));
    form = form ? Expr::conditional(is_it, hole(k), *form) : hole(k);
  }
  std::vector<Goal> rest;
  for (auto& [value, part] : goals) rest.push_back(std::move(part));
  const auto n = static_cast<std::uint32_t>(goals.size());
  out.push_back({*form, kParts + parts.cost + n * kPart, 0, std::move(rest)});
}

// As many stretches of iterations in each run, each as long as a term says.
void by_stretch(const View& view, std::size_t leaf, Reductions& out) {
  const Goal& goal = view.goal();
  const Expr x = Expr::variable(view.table().leaves()[leaf].name);
  const Column at = view.on_rows(view.table().leaf(leaf));
  std::map<std::size_t, std::int64_t> most;  // by run
  for (std::size_t i = 0; i < at.size(); ++i) {
    std::int64_t& n = most[view.table().run(goal.rows[i])];
    n = std::max(n, at[i] + 1);
  }
  for (const Term& t : view.terms().of_runs()) {
    if (t.cost > kLongestStretch || !view.take(at.size())) continue;
    const Column length = view.on_rows(t.values);
    const auto is_length = [&](std::size_t i) {
      const std::int64_t n = most[view.table().run(goal.rows[i])];
      return length[i] > 0 && n % length[i] == 0 &&
             n / length[i] == most.begin()->second / length[0];
    };
    if (!std::ranges::all_of(std::views::iota(std::size_t{0}, at.size()), is_length)) continue;
    Column numbers(at.size());
    for (std::size_t i = 0; i < at.size(); ++i) numbers[i] = at[i] / length[i];
    by_part(view, {x / t.expression, std::move(numbers), t.cost}, out);
  }
}

}  // namespace

void iterations(const View& view, Reductions& out) {
  for (std::size_t l = 0; l < view.table().leaves().size(); ++l) {
    if ((view.goal().leaves & bit(l)) == 0) continue;
    const LeafKind kind = view.table().leaves()[l].kind;
    if (kind != LeafKind::index && kind != LeafKind::element) continue;
    const Expr x = Expr::variable(view.table().leaves()[l].name);
    by_part(view, {x, view.on_rows(view.table().leaf(l))}, out);
    by_stretch(view, l, out);
  }
}

void cases(const View& view, Reductions& out) {
  const Goal& goal = view.goal();
  if (goal.leaves != 0) by_value(view, out);
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
