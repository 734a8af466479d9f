// What the variables of an explained program stand for (program/program.hpp), and which of them it
// has.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "program/program.hpp"

namespace reprise::write {

struct Variable {
  enum class Kind : std::uint8_t {
    rank,
    ranks,
    thread,
    comm_rank,
    comm_size,
    index,
    length,
    loop_index,  // i0 ..
    loop_trips,  // t0 ..
    coordinate,  // of a grid
    extent,
    size,  // of the problem
    new_rank,
    new_size,
    depth,  // of a recursion
    first,
    other,
  };

  Kind kind = Kind::other;
  std::size_t which = 0;                // loop, dimension, size or recursion
  const program::Grid* grid = nullptr;  // of a coordinate or an extent
};

// The result points into the program.
Variable variable_of(const program::Program& program, std::string_view name);

// Each expression of the nodes and of what they hold; of invocations what is passed, but not of
// the procedures.
void for_each_expression(const std::vector<program::Node>& nodes,
                         const std::function<void(const expr::Expr&)>& visit);

// The variables of the body and of all procedures.
std::set<std::string> variables_of(const program::Program& program);

// Whether a coordinate or an extent of the grid is among these names.
bool is_named(const program::Grid& grid, const std::set<std::string>& names);

}  // namespace reprise::write
