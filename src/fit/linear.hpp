// Linear systems over the rationals, solved exactly.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "expr/expr.hpp"

namespace reprise::fit {

// sum of numerators[i] * column i, divided by the denominator, which is positive and has no common
// factor with all of them.
struct Combination {
  std::vector<std::int64_t> numerators;
  std::int64_t denominator = 1;
};

// The one combination of the columns that has the values; nothing if there is none, if there are
// several, or if a number in between leaves 64 bits. Elimination without fractions (Bareiss 1968).
// REQUIRES: columns and values of one length. Cost: rows x columns^2.
std::optional<Combination> solve(std::span<const std::vector<std::int64_t>* const> columns,
                                 std::span<const std::int64_t> values);

// The combination as text would have it: positive summands first, nothing multiplied by one, terms
// that are the constant 1 left out.
expr::Expr combine(const Combination& combination, std::span<const expr::Expr> terms);

}  // namespace reprise::fit
