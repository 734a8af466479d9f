// s * t + rest, with the slope that two samples of a run show, a number or a law of the run;
// a * t + b * u + c between runs.
#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "solve/exact.hpp"
#include "solve/family.hpp"

namespace reprise::solve {
namespace {

using expr::Expr;

// Between runs, where one term is not enough.
constexpr std::size_t kLeastPaired = 5;  // runs: two more than slopes and a constant
constexpr std::size_t kMostPaired = 64;  // terms: 2,000 pairs
// [bits]: what falls with the number of ranks is a quotient more often, which does not fall below
// 0.
constexpr std::uint32_t kFalling = 6;

// A term by itself is no sum.
std::uint32_t cost(std::int64_t slope, const Term& term, const Column& rest) {
  if (slope != 1) return term.cost + 8 + bits_of(slope);
  const bool is_sum = std::ranges::any_of(rest, [](std::int64_t v) { return v != 0; });
  return term.cost + (is_sum ? 4 : 0);
}

// Nothing where a difference is too large to calculate with.
std::optional<Column> difference(const Column& values, std::int64_t slope, const Column& term) {
  Column out(values.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto rest = less_product(values[i], slope, term[i]);
    if (!rest) return std::nullopt;
    out[i] = *rest;
  }
  return out;
}

// The slope in each run, from the first pair there that differs in the term; nothing where another
// pair says otherwise. A run without such a pair has none.
std::optional<std::vector<std::optional<std::int64_t>>> find_slopes(const View& view,
                                                                    std::span<const Pair> pairs,
                                                                    const Column& t) {
  const Goal& goal = view.goal();
  const auto run_of = [&](std::uint32_t place) { return view.table().run(goal.rows[place]); };
  std::vector<std::optional<std::int64_t>> slopes(run_of(static_cast<std::uint32_t>(t.size() - 1)) +
                                                  1);
  for (const Pair& p : pairs) {
    auto& slope = slopes[run_of(p.a)];
    const std::int64_t rise = goal.values[p.b] - goal.values[p.a], distance = t[p.b] - t[p.a];
    if (!slope && distance != 0) slope = exact_quotient(rise, distance);
    const bool is_on_line =
        slope ? less_product(rise, *slope, distance) == 0 : rise == 0 && distance == 0;
    if (!is_on_line) return std::nullopt;
  }
  return slopes;
}

void of_pairs(const View& view, const Term& term, std::span<const Pair> pairs, Reductions& out) {
  const Column t = view.on_rows(term.values);
  const Goal& goal = view.goal();
  auto slopes = find_slopes(view, pairs, t);
  if (!slopes) return;
  std::set<std::int64_t> different;
  for (const auto& s : *slopes) {
    if (s) different.insert(*s);
  }
  if (different.empty() || (different.size() == 1 && *different.begin() == 0)) return;
  // A slope that all have, those that do not show it too.
  if (different.size() == 1) std::ranges::fill(*slopes, *different.begin());
  Goal slope, rest;
  for (std::size_t i = 0; i < t.size(); ++i) {
    const auto& s = (*slopes)[view.table().run(goal.rows[i])];
    if (!s) continue;
    const auto other = less_product(goal.values[i], *s, t[i]);
    if (!other) return;
    slope.rows.push_back(goal.rows[i]);
    slope.values.push_back(*s);
    rest.rows.push_back(goal.rows[i]);
    rest.values.push_back(*other);
  }
  if (different.size() == 1) {
    const std::int64_t s = *different.begin();
    const std::uint32_t bits = cost(s, term, rest.values);
    out.push_back({scaled(s, term.expression) + hole(0), bits, 1, {std::move(rest)}});
  } else {
    out.push_back({hole(1) * term.expression + hole(0),
                   term.cost + 4,
                   0,
                   {std::move(rest), std::move(slope)}});
  }
}

// x / w: the slope from places that have the same x % w, on which the rest may depend.
void of_blocks(const View& view, const Term& term, Reductions& out) {
  const Goal& goal = view.goal();
  const auto& operands = term.expression.operands();
  if (term.expression.op() != expr::Op::divide || !operands[0].is_variable()) return;
  const auto size = view.table().evaluate(operands[1]);
  const auto leaf = static_cast<std::size_t>(std::countr_zero(term.leaves));
  if (!size || view.table().leaves()[leaf].name != operands[0].name()) return;
  std::map<std::vector<std::int64_t>, std::uint32_t> last;
  std::vector<Pair> pairs;
  for (std::uint32_t i = 0; i < goal.rows.size(); ++i) {
    const std::int64_t w = (*size)[goal.rows[i]];
    if (w < 1) return;
    std::vector<std::int64_t> key = view.others(leaf, i);
    key.push_back(floor_remainder(view.leaf(leaf, i), w));
    const auto [entry, is_new] = last.try_emplace(std::move(key), i);
    if (!is_new) pairs.push_back({entry->second, i});
    entry->second = i;
  }
  of_pairs(view, term, pairs, out);
}

// The slope of the first and the last run, which may leave a constant.
void between_runs(const View& view, const Term& term, Reductions& out) {
  const Column t = view.on_rows(term.values);
  const Goal& goal = view.goal();
  const std::size_t last = t.size() - 1;
  if (t[0] == t[last]) return;
  const std::int64_t rise = goal.values[last] - goal.values[0], run = t[last] - t[0];
  const auto slope = exact_quotient(rise, run);
  if (!slope || *slope == 0) return;
  auto rest = difference(goal.values, *slope, t);
  if (!rest) return;
  const std::uint32_t bits = cost(*slope, term, *rest) + (*slope < 0 ? kFalling : 0);
  out.push_back(
      {scaled(*slope, term.expression) + hole(0), bits, 1, {{goal.rows, std::move(*rest)}}});
}

// Two slopes that leave a constant, by Cramer's rule from three runs; there have to be more.
void two_between_runs(const View& view, Reductions& out) {
  const Goal& goal = view.goal();
  const Column& v = goal.values;
  const std::size_t n = v.size();
  if (n < kLeastPaired) return;
  const auto& terms = view.terms().of_runs();
  const std::size_t most = std::min(kMostPaired, terms.size());
  std::vector<Column> columns;
  for (std::size_t i = 0; i < most; ++i) columns.push_back(view.on_rows(terms[i].values));
  __extension__ using Wide = __int128;
  for (std::size_t i = 0; i < most; ++i) {
    if (!view.take(i * n)) return;
    for (std::size_t k = 0; k < i; ++k) {
      const Column &t = columns[i], &u = columns[k];
      const Wide t1 = t[1] - t[0], t2 = t[n - 1] - t[0], u1 = u[1] - u[0], u2 = u[n - 1] - u[0];
      const Wide v1 = v[1] - v[0], v2 = v[n - 1] - v[0];
      const Wide det = t1 * u2 - t2 * u1;
      if (det == 0) continue;
      const Wide a = v1 * u2 - v2 * u1, b = t1 * v2 - t2 * v1;
      if (a % det != 0 || b % det != 0 || a == 0 || b == 0) continue;
      constexpr Wide kLargestSolution = std::int64_t{1} << 60;
      if (std::max({a / det, -a / det, b / det, -b / det}) > kLargestSolution) continue;
      const auto slope = static_cast<std::int64_t>(a / det),
                 other = static_cast<std::int64_t>(b / det);
      auto rest = difference(v, slope, t);
      if (rest) rest = difference(*rest, other, u);
      if (!rest || !Goal{goal.rows, *rest}.is_constant()) continue;
      const std::uint32_t bits = cost(slope, terms[i], v) + cost(other, terms[k], *rest);
      out.push_back(
          {scaled(slope, terms[i].expression) + scaled(other, terms[k].expression) + hole(0),
           bits,
           2,
           {{goal.rows, std::move(*rest)}}});
    }
  }
}

}  // namespace

void linear(const View& view, Reductions& out) {
  const Goal& goal = view.goal();
  if (goal.leaves == 0) {
    for (const Term& t : view.terms().of_runs()) between_runs(view, t, out);
    two_between_runs(view, out);
    return;
  }
  for (const Term& t : view.terms().all()) {
    if ((t.leaves & ~goal.leaves) != 0) continue;
    if (!view.take(goal.rows.size())) return;
    for (Leaves left = t.leaves & goal.leaves; left != 0; left &= left - 1) {
      of_pairs(view, t, view.pairs(static_cast<std::size_t>(std::countr_zero(left))), out);
    }
    if (std::popcount(t.leaves) == 1) of_blocks(view, t, out);
  }
}

}  // namespace reprise::solve
