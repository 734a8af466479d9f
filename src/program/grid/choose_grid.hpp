// The grid that the ranks of a trace form: the one with the shortest conditions and peers.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/program.hpp"

namespace reprise::program {

// The extents, x first; empty if no grid makes them shorter. Ranks beyond 4096 are not considered.
// Cost: factorisations of the number of ranks x distinct conditions and peers, of which at most 48
// are looked at, x ranks.
std::vector<std::int64_t> choose_grid(const trace::Trace& trace);

}  // namespace reprise::program
