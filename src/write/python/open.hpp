// What programs of any number of ranks have besides: for which numbers they are, the grids that the
// ranks form there, and computation that follows from their number.
#pragma once

#include "program/program.hpp"
#include "write/python/parts.hpp"
#include "write/python/syntax.hpp"

namespace reprise::write::python {

// ADMITTED and SIZES, and `sizes`.
Block domain_constants(const program::Program& program);
// Whether the program runs on a number of ranks and for the sizes, once those are known.
Statement domain_check(const program::Program& program);

// The statements that define the extents and coordinates of a grid of all ranks, and their names.
// Throws Unwritable for a grid whose rule takes a search.
Block grid_variables(const program::Grid& grid, Parts& parts, std::vector<std::string>& names);

// The table COMPUTE. `sites`: the calls of the trace by site.
Statement compute_table(const program::Program& program, const std::vector<std::uint32_t>& sites);

}  // namespace reprise::write::python
