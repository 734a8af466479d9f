// Text to expressions, by the grammar of C for the operators of `expr/op.hpp`:
//
//   expression := or [`?` expression `:` expression]
//   or, and, ... := binary operators, left-associative, with C's precedences
//   prefix     := (`-` | `!`) prefix | primary
//   primary    := integer | name | function `(` expression {`,` expression} `)` | `(` expression
//   `)`
//
// `-` right before an integer is its sign. Comments run from `#` to the end of the line. The text
// is not trusted: nesting and size are bounded (kMaxDepth, kMaxNodes).
#pragma once

#include <string_view>

#include "base/result.hpp"
#include "expr/expr.hpp"

namespace reprise::expr {

// The whole text as one expression. Errors begin with line:column, counted from one.
Result<Expr> parse(std::string_view text);

}  // namespace reprise::expr
