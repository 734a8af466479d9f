// (t + rest) % d: what goes round a ring. (t + c) % m with numbers, and t ^ rest, a ring of bits.
#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>
#include <set>
#include <vector>

#include "solve/exact.hpp"
#include "solve/family.hpp"

namespace reprise::solve {
namespace {

using expr::Expr;
using expr::Op;

constexpr std::uint32_t kLongestTerm = 12;   // [bits]: a leaf, or a combination of two
constexpr std::int64_t kLargestPeriod = 64;  // of one that the program counts with
constexpr std::uint32_t kLeaf = 4;           // [bits]: a leaf alone
constexpr std::int64_t kLargestMultiple = 8;
constexpr std::int64_t kLargestValue = std::int64_t{1} << 40;
constexpr std::int64_t kLargestSlope = 16;  // of a leaf, round a ring: strides

// Of a term that two neighboring places differ in, the slope round the extent of an axis: from the
// run where the axis is longest, since a slope is no more than the extent.
std::optional<std::int64_t> slope_round(const View& view, const Term& t, const Column& d) {
  const Goal& goal = view.goal();
  std::optional<std::int64_t> slope;
  std::int64_t longest = 0;
  for (Leaves left = t.leaves & goal.leaves; left != 0; left &= left - 1) {
    for (const Pair& p : view.pairs(static_cast<std::size_t>(std::countr_zero(left)))) {
      if (d[p.a] <= longest) continue;
      if (t.values[goal.rows[p.b]] - t.values[goal.rows[p.a]] != 1) continue;
      longest = d[p.a];
      slope = floor_remainder(goal.values[p.b] - goal.values[p.a], longest);
    }
  }
  return slope;
}

// The number nearest to 0 that leaves these rests when divided by extents, of those that are no
// farther from it than the longest extent; both of two that are as near.
std::vector<std::int64_t> common_numbers(const Column& rests, const Column& d) {
  const auto longest = static_cast<std::size_t>(std::ranges::max_element(d) - d.begin());
  std::vector<std::int64_t> out;
  for (const std::int64_t c : {rests[longest], rests[longest] - d[longest]}) {
    bool fits = true;
    for (std::size_t i = 0; i < d.size() && fits; ++i) {
      fits = floor_remainder(c, d[i]) == rests[i];
    }
    if (fits) out.push_back(c);
  }
  if (out.size() == 2 && out[0] != -out[1]) out.erase(out.begin() + (out[0] < -out[1] ? 1 : 0));
  return out;
}

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
    std::set<std::int64_t> slopes{1, -1};
    const auto other = t.cost <= kLeaf ? slope_round(view, t, d) : std::nullopt;
    if (other && *other > 1 && *other <= kLargestSlope) slopes.insert(*other);
    for (const std::int64_t slope : slopes) {
      Column rest(d.size());
      for (std::size_t i = 0; i < d.size(); ++i) {
        rest[i] = floor_remainder(goal.values[i] - slope * t.values[goal.rows[i]], d[i]);
      }
      bool is_simpler = false;
      for (Leaves left = t.leaves; left != 0 && !is_simpler; left &= left - 1) {
        is_simpler = view.is_free_of(static_cast<std::size_t>(std::countr_zero(left)), rest);
      }
      if (!is_simpler) continue;
      const Expr sum = slope > 0 ? scaled(slope, t.expression) + hole(0) : hole(0) - t.expression;
      const std::uint32_t bits = t.cost + 12 + (slope > 1 ? 4 + bits_of(slope) : 0);
      const auto numbers = common_numbers(rest, d);
      for (const std::int64_t c : numbers) {
        out.push_back({sum % extent, bits, 0, {{goal.rows, Column(d.size(), c)}}});
        if (t.cost > kLeaf) break;  // the other is as near to a neighbor of the leaf, not to it
      }
      if (numbers.empty()) out.push_back({sum % extent, bits, 0, {{goal.rows, std::move(rest)}}});
    }
  }
}

// Whether a term has the same value in all runs: what runs differ in has few samples, which some
// remainder or other explains.
bool is_free_of_runs(const View& view, const Term& term) {
  const Table& table = view.table();
  const auto used = free_variables(term.expression);
  for (std::size_t l = 0; l < table.leaves().size(); ++l) {
    if ((table.varying() & bit(l)) == 0 && used.contains(table.leaves()[l].name)) return false;
  }
  return true;
}

// a * ((s * t + c) % m) + b.
struct Remainder {
  std::int64_t unit = 1;   // a
  std::int64_t least = 0;  // b
  std::int64_t slope = 1;  // s
};

// The differences of remainders and terms tell m: it divides them.
void of_term(const View& view, const Term& t, const Remainder& form, Reductions& out) {
  const Column of = view.on_rows(t.values);
  Column v = view.goal().values;
  for (std::int64_t& x : v) x = (x - form.least) / form.unit;
  const auto rest = [&](std::size_t i) { return v[i] - form.slope * of[i]; };
  std::int64_t common = 0;
  for (std::size_t i = 0; i < v.size() && common != 1; ++i) {
    common = std::gcd(common, rest(i) - rest(0));
  }
  const std::uint32_t bits = t.cost + 8 + (form.unit == 1 ? 0 : 4 + bits_of(form.unit)) +
                             (form.least == 0 ? 0 : 4 + bits_of(form.least)) +
                             (form.slope == 1 ? 0 : 4 + bits_of(form.slope));
  const unsigned chosen =
      (form.unit == 1 ? 0U : 1U) + (form.least == 0 ? 0U : 1U) + (form.slope == 1 ? 0U : 1U);
  // The rest of the division is of no more values than there are.
  const std::int64_t most = std::ranges::max(v);
  for (std::int64_t m = most + 1; m <= std::min(common, kLargestPeriod); ++m) {
    if (common % m != 0) continue;
    const std::int64_t c = floor_remainder(rest(0), m);
    const Expr remainder = with_constant(scaled(form.slope, t.expression), c) % Expr(m);
    out.push_back({with_constant(scaled(form.unit, remainder), form.least),
                   bits + cost_of_number(view.numbers(), m) + (c == 0 ? 0 : 4 + bits_of(c)),
                   chosen + (c == 0 ? 1U : 2U),
                   {}});
  }
}

void modulo_number(const View& view, Reductions& out) {
  const Column& v = view.goal().values;
  const auto [least, most] = std::ranges::minmax(v);
  if (least < 0 || most > kLargestValue) return;
  std::int64_t common = 0;
  for (const std::int64_t x : v) common = std::gcd(common, x - least);
  if ((most - least) / std::max<std::int64_t>(common, 1) >= kLargestPeriod) return;
  // Counted from 0, or from the least one.
  std::vector<Remainder> forms;
  for (const std::int64_t from : std::set<std::int64_t>{0, least}) {
    const std::int64_t unit = std::gcd(common, least - from);
    if ((most - from) / unit >= kLargestPeriod) continue;
    for (const std::int64_t a : std::set<std::int64_t>{1, unit}) {
      if ((most - from) / a >= kLargestPeriod) continue;
      for (std::int64_t s = 1; s <= kLargestMultiple; ++s) forms.push_back({a, from, s});
    }
  }
  for (const Term& t : view.terms().all()) {
    if (t.leaves != view.goal().leaves || t.cost > kLongestTerm) continue;
    if (!is_free_of_runs(view, t)) continue;
    for (const Remainder& form : forms) {
      if (!view.take(2 * v.size())) return;
      of_term(view, t, form, out);
    }
  }
}

// Partners in a butterfly.
void exclusive_or(const View& view, Reductions& out) {
  const Goal& goal = view.goal();
  if (std::ranges::any_of(goal.values, [](std::int64_t v) { return v < 0; })) return;
  for (const Term& t : view.terms().all()) {
    if (t.leaves == 0 || t.cost > kLongestTerm || (t.leaves & ~goal.leaves) != 0) continue;
    if (!view.take(goal.rows.size())) return;
    Column rest(goal.values.size());
    for (std::size_t i = 0; i < rest.size(); ++i) {
      rest[i] = goal.values[i] ^ t.values[goal.rows[i]];
    }
    bool is_simpler = true;
    for (Leaves left = t.leaves; left != 0 && is_simpler; left &= left - 1) {
      is_simpler = view.is_free_of(static_cast<std::size_t>(std::countr_zero(left)), rest);
    }
    if (!is_simpler || std::ranges::any_of(rest, [](std::int64_t v) { return v < 0; })) continue;
    out.push_back({Expr::make(Op::bit_xor, t.expression, hole(0)),
                   t.cost + 10,
                   0,
                   {{goal.rows, std::move(rest)}}});
  }
}

}  // namespace

void remainders(const View& view, Reductions& out) {
  if (view.goal().leaves == 0) return;
  modulo_number(view, out);
  exclusive_or(view, out);
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
