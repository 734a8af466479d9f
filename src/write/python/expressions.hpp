// Integer expressions as Python.
#pragma once

#include <functional>

#include "expr/expr.hpp"
#include "write/python/parts.hpp"
#include "write/python/syntax.hpp"

namespace reprise::write::python {

struct ExpressionNames {
  std::function<Expression(const std::string& variable)> variable;
  std::function<Expression(std::int64_t constant)> constant;
};

// The same value, an integer; `is_condition`: only whether it is 0 matters. Adds to `parts` what
// the expression calls.
Expression python_of(const expr::Expr& e, const ExpressionNames& names, Parts& parts,
                     bool is_condition = false);

}  // namespace reprise::write::python
