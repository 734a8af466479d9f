// What the variables of laws are called, and what each of them is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "expr/expr.hpp"

namespace reprise::expr {

enum class LeafKind : std::uint8_t {
  rank,
  ranks,
  coordinate,  // of the rank in a grid
  extent,      // of the grid along one axis
  index,       // of a loop around the call, from 0
  trips,       // of that loop
  element,     // place in a list, from 0
  length,      // of the list
  declared     // a size of the problem, by the name that its user gave it
};

struct Leaf {
  std::string name;
  LeafKind kind = LeafKind::declared;
  // A coordinate and the extent of its axis have the same number, as have the index and the trips
  // of a loop.
  std::size_t number = 0;
};

inline constexpr std::string_view kElement = "index";
inline constexpr std::string_view kLength = "length";
// "x0", "d0", "i0", "t0" and so on.
std::string coordinate_name(std::size_t dimension);
std::string extent_name(std::size_t dimension);
std::string index_name(std::size_t loop);
std::string trips_name(std::size_t loop);

// The leaf that has a name.
Leaf leaf_of(std::string_view name);
// Whether a variable of the expression is of one of these kinds.
bool uses(const Expr& e, std::initializer_list<LeafKind> kinds);

}  // namespace reprise::expr
