// Conditions that compare a number of the rank with one that moves with a loop: all but the root
// receive, where each rank is the root once; who owns no panel that is done takes part.
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

// "rank != i", "x > i / 4" and the like, the shortest; none: there is none. `held`: of a loop of
// this number, in order of its iterations. Cost: leaves of the space x streams x iterations.
std::optional<expr::Expr> moving_condition_of(const Space& space, const std::vector<Held>& held,
                                              std::size_t loop);

}  // namespace reprise::program
