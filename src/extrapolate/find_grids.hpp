// The grids of a program, from the peers of its call sites.
#pragma once

#include <vector>

#include "extrapolate/align.hpp"
#include "extrapolate/number_law.hpp"

namespace reprise::extrapolate {

// One rule after the other, each explaining call sites that those before it do not. `ranks`: for
// which a grid is wanted; rules that have none there come last of those seen. Sites count whose peers are ranks of
// a communicator of all processes; of a site in a loop the first few executions do.
Grids find_grids(const Aligned& inputs, std::int64_t ranks);

}  // namespace reprise::extrapolate
