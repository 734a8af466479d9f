// Which ranks take part: a condition over the rank, the number of ranks, the grid and the
// coordinates.
//
// Conditions are comparisons of small expressions, and up to six of them joined by && or by ||:
// first, last, interior, even, odd, every k-th along a dimension, borders and corners.
#pragma once

#include "base/result.hpp"
#include "expr/expr.hpp"
#include "infer/samples.hpp"

namespace reprise::infer {

// The condition that is 1 on the rows whose value is not 0, and 0 on the others, and reads easiest;
// or why there is none: nothing explains the rows, or two conditions do and differ on the probes.
// Cost: some 10 ms for a few hundred rows, some 100 ms in a grid of three dimensions.
Result<expr::Expr> infer_predicate(const Table& table);

}  // namespace reprise::infer
