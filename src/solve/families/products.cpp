// t * rest, where a term divides all values.
#include <bit>
#include <cstdlib>

#include "solve/exact.hpp"
#include "solve/family.hpp"

namespace reprise::solve {
namespace {

using expr::Expr;

constexpr std::uint32_t kLongest =
    20;  // [bits] of a factor between runs, where more divide by chance

// Nothing if the term does not divide all values, or only turns their signs.
std::optional<Column> divided(const View& view, const Term& term) {
  const Goal& goal = view.goal();
  Column out;
  bool is_smaller = false;
  for (std::size_t i = 0; i < goal.values.size(); ++i) {
    const std::int64_t t = term.values[goal.rows[i]];
    const auto q = exact_quotient(goal.values[i], t);
    if (!q) return std::nullopt;
    is_smaller = is_smaller || std::abs(*q) < std::abs(goal.values[i]);
    out.push_back(*q);
  }
  return is_smaller ? std::optional(std::move(out)) : std::nullopt;
}

}  // namespace

void products(const View& view, Reductions& out) {
  const Goal& goal = view.goal();
  for (const Term& t : view.terms().all()) {
    if ((t.leaves & ~goal.leaves) != 0) continue;
    if (goal.leaves == 0 ? t.cost > kLongest : t.leaves == 0) continue;
    auto rest = divided(view, t);
    if (!rest) continue;
    bool is_simpler = goal.leaves == 0;
    for (Leaves left = t.leaves; left != 0 && !is_simpler; left &= left - 1) {
      is_simpler = view.is_free_of(static_cast<std::size_t>(std::countr_zero(left)), *rest);
    }
    if (is_simpler)
      out.push_back({t.expression * hole(0), t.cost + 4, 0, {{goal.rows, std::move(*rest)}}});
  }
}

}  // namespace reprise::solve
