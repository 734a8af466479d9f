// A Python syntax tree as text. Decides layout only: lines are broken within brackets where they
// would be wider than 96 columns.
#pragma once

#include <string>

#include "write/python/syntax.hpp"

namespace reprise::write::python {

inline constexpr std::size_t kWidth = 96;

std::string print(const Block& block);
// On one line.
std::string print(const Expression& e);

}  // namespace reprise::write::python
