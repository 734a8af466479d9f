// How the extents of a grid follow from the number of ranks, as a program can find them.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "program/program.hpp"

namespace reprise::write {

// The prime factors of a number of ranks, the largest first, each given to the least extent so far.
struct Balanced {
  std::int64_t parts = 1;   // of the ranks, of which one is balanced
  std::size_t extents = 0;  // among so many, in ascending order
};

struct Extents {
  std::optional<Balanced> balanced;  // if some extents are
  // By dimension: an expression of the number of ranks, or one of those that are balanced.
  std::vector<std::variant<expr::Expr, std::size_t>> of;
};

// Nothing where the rule of the grid takes a search.
std::optional<Extents> extents_of(const program::Grid& grid);

}  // namespace reprise::write
