// The grids that ranks form, as C.
#pragma once

#include <set>
#include <span>
#include <string>

#include "infer/grid.hpp"

namespace reprise::scalable {

// For each of the rules that are used, by number G: a function grid_G(size, rank, d, x) that sets
// the extents of the grid of so many ranks and the place of one; and for those `of_world` d_G and
// x_G, which are those of all ranks. Throws Unwritable for rules that take a search.
std::string grids_in_c(std::span<const infer::GridRule> rules,
                       const std::set<std::size_t>& of_world,
                       const std::set<std::size_t>& of_communicators);

}  // namespace reprise::scalable
