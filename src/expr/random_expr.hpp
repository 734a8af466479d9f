// Random expressions for the tests.
#pragma once

#include <rapidcheck.h>

#include <array>
#include <string>

#include "expr/expr.hpp"

namespace reprise::expr {

inline const std::array<std::string, 4> kTestNames = {"rank", "ranks", "n", "x0"};

inline Expr random_leaf() {
  if (*rc::gen::inRange(0, 2) == 0) {
    return Expr::variable(*rc::gen::elementOf(kTestNames));
  }
  return *rc::gen::weightedOneOf<std::int64_t>(
      {{4, rc::gen::inRange<std::int64_t>(-3, 10)}, {1, rc::gen::arbitrary<std::int64_t>()}});
}

// An expression of at most `depth` levels.
inline Expr random_below(int depth) {
  if (depth <= 1 || *rc::gen::inRange(0, 5) == 0) return random_leaf();
  const Op op =
      static_cast<Op>(*rc::gen::inRange(static_cast<int>(Op::add), static_cast<int>(kOps)));
  std::vector<Expr> operands;
  for (int i = 0; i < traits(op).operands; ++i) operands.push_back(random_below(depth - 1));
  // The index of a sum is a name, which may hide another, and the terms are few.
  if (op == Op::sum) {
    operands[0] = Expr::variable(*rc::gen::elementOf(kTestNames));
    operands[1] = operands[1] % Expr(4);
  }
  return Expr::make(op, operands);
}

inline rc::Gen<Expr> random_expr() {
  return rc::gen::resize(rc::kNominalSize,
                         rc::gen::exec([] { return random_below(*rc::gen::inRange(1, 6)); }));
}

}  // namespace reprise::expr
