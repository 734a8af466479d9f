// The grid that the ranks of a trace form: that in which its conditions and peers are the shortest
// to say.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/program.hpp"

namespace reprise::program {

// The extents, x first; empty if no grid is worth it. Ranks beyond 4096 are not looked at. Cost:
// factorisations of the number of ranks x distinct conditions and peers, of which at most 48 are
// looked at, x ranks.
std::vector<std::int64_t> choose_grid(const trace::Trace& trace);

}  // namespace reprise::program
