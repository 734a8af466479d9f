// The grids that ranks form, as C.
#pragma once

#include <set>
#include <span>
#include <string>

#include "infer/grid.hpp"

namespace reprise::scalable {

// For each of the `used` rules, by number G: a function grid_G(size, rank, n, d) that sets the
// extents of the grid of so many ranks and the place of one, and n_G and d_G for those of all
// ranks. Throws Unwritable for rules that take a search.
std::string grids_in_c(std::span<const infer::GridRule> rules, const std::set<std::size_t>& used);

}  // namespace reprise::scalable
