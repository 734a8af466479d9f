// Words for what a program names: neighbors in a grid, tables.
#pragma once

#include <string>
#include <string_view>

#include "program/program.hpp"

namespace reprise::write {

// "west", "south_east"; "neighbor" if it is more than a step away.
std::string direction(const program::Neighbor& n);

// The text in capital letters.
std::string upper(std::string_view text);

}  // namespace reprise::write
