// A C syntax tree as text. Decides layout only: lines are broken behind commas, and in front of
// operators, where they would be wider than 120 columns.
#pragma once

#include <string>

#include "write/c/language/syntax.hpp"

namespace reprise::write::c {

inline constexpr std::size_t kWidth = 120;

std::string print(const Block& block);
// On one line.
std::string print(const Expression& e);

}  // namespace reprise::write::c
