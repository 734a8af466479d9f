// Products and counts in readable form.
#pragma once

#include <cstdint>

#include "expr/expr.hpp"

namespace reprise::program {

// The expression times a number: x * 4, but 4 * (x % 3), which cannot be misread as 3 * 4.
inline expr::Expr scaled(const expr::Expr& e, std::int64_t factor) {
  if (factor == 1) return e;
  const bool binds_alike = e.op() == expr::Op::divide || e.op() == expr::Op::modulo;
  return binds_alike ? expr::Expr(factor) * e : e * expr::Expr(factor);
}

// The sum of both, without a + 0 or a + -1.
inline expr::Expr plus(const expr::Expr& e, std::int64_t c) {
  return c < 0 ? e - expr::Expr(-c) : c == 0 ? e : e + expr::Expr(c);
}

// Whether two numbers, the second so much behind the first, are steps of a count rather than any
// two numbers, which lie on a line as well. `has_others`: before or behind them stand numbers that
// are on no line with them; of 64 16 8 no two are steps.
inline bool are_steps(std::int64_t first, std::int64_t step, bool has_others = false) {
  return step == 1 || step == -1 || (!has_others && step != 0 && first % step == 0);
}

}  // namespace reprise::program
