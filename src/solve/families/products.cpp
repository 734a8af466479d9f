// t * rest, where a term divides all values; t * rest - n, as of all places around one, n things
// for each; n * rest.
#include <bit>
#include <cstdlib>
#include <numeric>

#include "solve/exact.hpp"
#include "solve/family.hpp"

namespace reprise::solve {
namespace {

using expr::Expr;

constexpr std::uint32_t kAdded = 6;  // [bits]
constexpr std::uint32_t kLongest =
    20;  // [bits] of a factor between runs, where more divide by chance

// Nothing if the term does not divide all values, or only turns their signs. Where both are 0 the
// quotient may be anything.
std::optional<Goal> divided(const View& view, const Term& term, std::int64_t added) {
  const Goal& goal = view.goal();
  Goal out;
  bool is_smaller = false;
  for (std::size_t i = 0; i < goal.values.size(); ++i) {
    const std::int64_t t = term.values[goal.rows[i]];
    const std::int64_t product = goal.values[i] - added;
    if (t == 0 && product == 0) continue;
    const auto q = exact_quotient(product, t);
    if (!q) return std::nullopt;
    is_smaller = is_smaller || std::abs(*q) < std::abs(product);
    out.rows.push_back(goal.rows[i]);
    out.values.push_back(*q);
  }
  return is_smaller ? std::optional(std::move(out)) : std::nullopt;
}

// Whether the values of a run do not depend on the leaf.
bool is_free_of(const View& view, std::size_t leaf, const Goal& rest) {
  return (view.table().needed(rest.rows, rest.values) & bit(leaf)) == 0;
}

// The number that divides all values within runs.
void common_factor(const View& view, std::int64_t common, Reductions& out) {
  if (common < 2 || view.goal().leaves == 0) return;
  Goal rest = view.goal();
  for (std::int64_t& v : rest.values) v /= common;
  out.push_back({Expr(common) * hole(0), 8 + bits_of(common), 1, {std::move(rest)}});
}

}  // namespace

void products(const View& view, Reductions& out) {
  const Goal& goal = view.goal();
  std::int64_t common = 0;
  for (const std::int64_t v : goal.values) common = std::gcd(common, v);
  common_factor(view, common, out);
  for (const Term& t : view.terms().all()) {
    if ((t.leaves & ~goal.leaves) != 0) continue;
    if (goal.leaves == 0 ? t.cost > kLongest : t.leaves == 0) continue;
    if (!view.take(3 * goal.rows.size())) return;
    for (const std::int64_t added : {std::int64_t{0}, -common, common}) {
      if (added != 0 && t.leaves == 0) continue;
      auto rest = divided(view, t, added);
      if (!rest) continue;
      bool is_simpler = goal.leaves == 0;
      for (Leaves left = t.leaves; left != 0 && !is_simpler; left &= left - 1) {
        is_simpler = is_free_of(view, static_cast<std::size_t>(std::countr_zero(left)), *rest);
      }
      if (!is_simpler) continue;
      out.push_back({with_constant(t.expression * hole(0), added),
                     t.cost + 4 + (added == 0 ? 0 : kAdded),
                     0,
                     {std::move(*rest)}});
    }
  }
}

}  // namespace reprise::solve
