// Sums of a term over an index, in closed form where there is one: where the blocks begin whose
// sizes the term has.
#pragma once

#include "expr/expr.hpp"

namespace reprise::expr {

// The terms for index = 0, 1, ..., count - 1, added up, simplified: c gives c * count, index < m
// gives min(count, max(m, 0)), f(index + 1) - f(index) gives f(count) - f(0), and what has no such
// form stays a sum. REQUIRES: the index is a variable, and the count is not negative where the
// result is evaluated. Cost: linear in the term, but for terms that are sums of sums.
Expr prefix_sum(const Expr& index, const Expr& count, const Expr& term);

}  // namespace reprise::expr
