// Divisions of n items among d: the share of the x-th.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "expr/expr.hpp"

namespace reprise::solve {

enum class Division : std::uint8_t {
  remainder_first,  // n / d, and one more for the first n % d
  even_bounds,      // from n * x / d on
  ceiling           // blocks of n / d rounded up, while there is something left
};
inline constexpr Division kDivisions[] = {Division::remainder_first, Division::even_bounds,
                                          Division::ceiling};

// A set of them: bit i is for Division i.
using Divisions = std::uint8_t;
constexpr Divisions bit(Division how) {
  return static_cast<Divisions>(1U << static_cast<unsigned>(how));
}

// What the first and the last place along an axis have besides their shares: 1 more or 1 less at
// most.
struct Borders {
  std::int64_t first = 0;
  std::int64_t last = 0;

  bool is_none() const { return first == 0 && last == 0; }
};

// A set of borders, a bit for each.
using BorderSet = std::uint16_t;
constexpr BorderSet bit(Borders b) {
  return static_cast<BorderSet>(1U << static_cast<unsigned>(3 * (b.first + 1) + b.last + 1));
}

// Of a division other than the program's known ones, and of each further kind of borders in one law
// [bits]: programs divide along all axes, and for all calls, by one function, and leave out the
// same along all axes of a call.
inline constexpr std::uint32_t kOtherDivision = 12;

// Of the choice of a division [bits]. `known`: those by which the program is known to divide.
constexpr std::uint32_t cost_of(Division how, Divisions known) {
  if (known != 0) return (known & bit(how)) != 0 ? 0 : kOtherDivision;
  return how == Division::remainder_first ? 0 : 3;
}

// Of the borders that the shares of a law have [bits].
constexpr std::uint32_t cost_of(BorderSet borders) {
  constexpr std::uint32_t kBorders = 6;
  const auto forms = static_cast<std::uint32_t>(std::popcount(borders));
  const std::uint32_t none = (borders & bit(Borders{})) != 0 ? 1 : 0;
  return kBorders * (forms - none) + (forms > 1 ? kOtherDivision * (forms - 1) : 0);
}

// Of a law with two parts, beside these [bits]: `these` are the divisions in one, `those` in the
// other.
constexpr std::uint32_t cost_of_mixing(Divisions these, Divisions those) {
  const int more = std::popcount<Divisions>(these | those) -
                   std::max(std::popcount(these), std::popcount(those));
  return these == 0 || those == 0 ? 0 : kOtherDivision * static_cast<std::uint32_t>(more);
}

// REQUIRES: 0 <= n < 2^31, 0 <= x < d < 2^31.
inline std::int64_t share(Division how, std::int64_t n, std::int64_t x, std::int64_t d) {
  switch (how) {
    case Division::remainder_first: return n / d + (x < n % d ? 1 : 0);
    case Division::even_bounds: return n * (x + 1) / d - n * x / d;
    case Division::ceiling: {
      const std::int64_t block = (n + d - 1) / d;
      return std::min(block, std::max<std::int64_t>(n - x * block, 0));
    }
  }
  return 0;
}

inline expr::Expr share(Division how, const expr::Expr& n, const expr::Expr& x,
                        const expr::Expr& d) {
  using expr::Expr;
  using expr::Op;
  switch (how) {
    case Division::remainder_first: return n / d + Expr::make(Op::less, x, n % d);
    case Division::even_bounds: return n * (x + Expr(1)) / d - n * x / d;
    case Division::ceiling: {
      const Expr block = (n + d - Expr(1)) / d;
      return Expr::make(Op::minimum, block, Expr::make(Op::maximum, n - x * block, Expr(0)));
    }
  }
  return 0;
}

// The start of the x-th share: the sum of the shares before it.
inline std::int64_t start(Division how, std::int64_t n, std::int64_t x, std::int64_t d) {
  switch (how) {
    case Division::remainder_first: return x * (n / d) + std::min(x, n % d);
    case Division::even_bounds: return n * x / d;
    case Division::ceiling: return std::min(x * ((n + d - 1) / d), n);
  }
  return 0;
}

inline expr::Expr start(Division how, const expr::Expr& n, const expr::Expr& x,
                        const expr::Expr& d) {
  using expr::Expr;
  using expr::Op;
  switch (how) {
    case Division::remainder_first: return x * (n / d) + Expr::make(Op::minimum, x, n % d);
    case Division::even_bounds: return n * x / d;
    case Division::ceiling: return Expr::make(Op::minimum, x * ((n + d - Expr(1)) / d), n);
  }
  return 0;
}

}  // namespace reprise::solve
