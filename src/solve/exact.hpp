// Small pieces that families share.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <set>

#include "expr/cost.hpp"
#include "expr/expr.hpp"

namespace reprise::solve {

// Nothing unless b divides a, and the quotient is a number of 64 bits.
inline std::optional<std::int64_t> exact_quotient(std::int64_t a, std::int64_t b) {
  if (b == 0 || (b == -1 && a == INT64_MIN) || a % b != 0) return std::nullopt;
  return a / b;
}

// v - s * t; nothing unless that, and the product, is a number of 64 bits.
inline std::optional<std::int64_t> less_product(std::int64_t v, std::int64_t s, std::int64_t t) {
  std::int64_t product = 0, out = 0;
  if (__builtin_mul_overflow(s, t, &product) || __builtin_sub_overflow(v, product, &out)) {
    return std::nullopt;
  }
  return out;
}

inline std::int64_t floor_quotient(std::int64_t a, std::int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

// REQUIRES: b > 0.
inline std::int64_t floor_remainder(std::int64_t a, std::int64_t b) {
  return a - b * floor_quotient(a, b);
}

using expr::bits_of;

// Encoded length of a reference to a known number of the program [bits].
inline std::uint32_t cost_of_known(const std::set<std::int64_t>& known) {
  return 3 + static_cast<std::uint32_t>(std::bit_width(known.size()));
}

// Whether a reference to a known number is shorter than the number itself.
inline bool is_known(const std::set<std::int64_t>& known, std::int64_t number) {
  return known.contains(number) && cost_of_known(known) < 4 + bits_of(number);
}

inline std::uint32_t cost_of_number(const std::set<std::int64_t>& known, std::int64_t number) {
  return is_known(known, number) ? cost_of_known(known) : 4 + bits_of(number);
}

inline expr::Expr scaled(std::int64_t factor, const expr::Expr& e) {
  return factor == 1 ? e : expr::Expr(factor) * e;
}

inline expr::Expr with_constant(const expr::Expr& e, std::int64_t constant) {
  if (constant == 0) return e;
  return constant < 0 ? e - expr::Expr(-constant) : e + expr::Expr(constant);
}

}  // namespace reprise::solve
