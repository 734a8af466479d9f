// Conditions that compare a number of the rank with an expression of a loop's index: where each
// rank is the root once and all others receive, or where ranks drop out one by one.
#pragma once

#include <optional>
#include <vector>

#include "program/grid/space.hpp"

namespace reprise::program {

// Who executes an iteration, and for whom of them the condition holds there. Both in order.
struct Held {
  std::int64_t iteration = 0;
  Streams all, some;
};

// The shortest condition such as "rank != i" or "x > i / 4"; nothing if none fits. `held`: of the
// loop with this number, in order of its iterations. Cost: leaves of the space x streams x
// iterations.
std::optional<expr::Expr> moving_condition_of(const Space& space, const std::vector<Held>& held,
                                              std::size_t loop);

}  // namespace reprise::program
