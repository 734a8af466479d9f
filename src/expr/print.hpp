// Expressions to text.
#pragma once

#include <string>

#include "expr/expr.hpp"

namespace reprise::expr {

// With as few parentheses as the grammar needs: parse(print(e)) is e.
std::string print(const Expr& e);

}  // namespace reprise::expr
