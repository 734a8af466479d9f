// a * 2^rest: strides and sizes that double, or halve, from level to level, and from place to
// place.
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <set>

#include "solve/exact.hpp"
#include "solve/family.hpp"

namespace reprise::solve {
namespace {

using expr::Expr;

constexpr std::uint32_t kPower = 8;       // [bits]
constexpr std::size_t kFewestPowers = 3;  // two numbers are twice each other by chance

// By what power of two each value is the unit; nothing if it is not for one of them.
std::optional<Column> exponents(const Column& values, std::int64_t unit) {
  Column out;
  for (const std::int64_t v : values) {
    const auto q = exact_quotient(v, unit);
    if (!q || *q < 1 || !std::has_single_bit(static_cast<std::uint64_t>(*q))) return std::nullopt;
    out.push_back(std::countr_zero(static_cast<std::uint64_t>(*q)));
  }
  return out;
}

}  // namespace

void powers(const View& view, Reductions& out) {
  const Goal& goal = view.goal();
  if (goal.leaves == 0 || goal.values.empty() || !view.take(goal.values.size())) return;
  const std::set<std::int64_t> distinct(goal.values.begin(), goal.values.end());
  if (distinct.size() < kFewestPowers) return;
  std::int64_t common = 0;
  for (const std::int64_t v : goal.values) common = std::gcd(common, v);
  if (common == 0) return;
  const std::int64_t sign = goal.values.front() < 0 ? -1 : 1;
  // The power that all have may be part of the exponent.
  const std::int64_t odd = common >> std::countr_zero(static_cast<std::uint64_t>(common));
  for (const std::int64_t unit : std::set<std::int64_t>{sign * odd, sign * common}) {
    auto rest = exponents(goal.values, unit);
    if (!rest) return;
    const bool is_plain = unit == 1 || unit == -1;
    out.push_back({scaled(unit, Expr::make(expr::Op::shift_left, Expr(1), hole(0))),
                   kPower + (is_plain ? 0 : 4 + bits_of(unit)),
                   is_plain ? 0U : 1U,
                   {{goal.rows, std::move(*rest)}}});
  }
}

}  // namespace reprise::solve
