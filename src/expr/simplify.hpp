// Shorter expressions of the same value.
#pragma once

#include "expr/expr.hpp"

namespace reprise::expr {

// Folds constants and removes what does nothing, by local rules from the leaves up: x + 0, x * 1, x
// - x, (x + 1) + 2, 1 + x as x + 1, conditions that are known. Wherever the original has a value,
// the result has the same; it may have one where the original faults (0 * (1 / 0)). Never has more
// nodes. Cost: linear.
Expr simplify(const Expr& e);

}  // namespace reprise::expr
