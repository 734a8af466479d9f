// The grids of a program, from the peers of its call sites.
#pragma once

#include <vector>

#include "extrapolate/inputs/align.hpp"
#include "extrapolate/laws/number_law.hpp"

namespace reprise::extrapolate {

// Rules that programs use, in two to four dimensions: for grids that no call site has one direction
// of alone.
std::vector<infer::GridRule> usual_rules();

// The rules in order, each explaining call sites that the rules before it do not, followed by
// guesses. Where the simplest rule has no grid of `ranks`, the more general ones that explain the
// same are left out, unless the extents are given (`wanted`). Sites count whose peers are ranks of
// a communicator of all processes; of a site in a loop the first few executions do.
Grids find_grids(const Aligned& inputs, std::int64_t ranks,
                 const std::vector<std::int64_t>& wanted);

}  // namespace reprise::extrapolate
