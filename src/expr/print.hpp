// Expressions to text, and to C.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "expr/expr.hpp"

namespace reprise::expr {

// With as few parentheses as the grammar needs: parse(print(e)) is e.
std::string print(const Expr& e);

// A C99 expression of type `long long` that computes what the expression does wherever that has a
// value. Operators whose meaning in C differs from ours for some operands become calls of the
// functions of `c_helpers`, unless the operands are seen not to be negative: constants, the
// variables of `expr/expr.hpp` except proc_null, and what is made of them without subtraction.
// Other variables count as negative unless `is_natural` says otherwise. Variables keep their names
// and are of type `long long`.
std::string print_c(const Expr& e, const std::function<bool(std::string_view)>& is_natural = {});

// The definitions that the output of print_c may call; each is `static inline` and named reprise_*.
std::string_view c_helpers();

}  // namespace reprise::expr
