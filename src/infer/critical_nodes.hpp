// The extents of a grid by its critical nodes, the paper's method: the nodes at its corners are
// those whose pattern of peers is rare, and where they stand tells the extents. Source:
// ScalaExtrap, section 3.1. It assumes that x0 varies fastest, and sees only what the pattern of
// peers shows; `grid.hpp` does more.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace reprise::infer {

// `peers` has the peers of each rank, relative to it. The number of nodes n divided by the length
// of the repeating pattern is the size of a critical group; n_i are the ranks from node 0 to the
// 2^i-th critical node, and the extents are n_i / n_(i-1). Nothing where these are no grid. Cost: n
// x divisors of n.
std::optional<std::vector<std::int64_t>> critical_extents(
    std::span<const std::vector<std::int64_t>> peers);

}  // namespace reprise::infer
