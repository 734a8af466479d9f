// Integer expressions as C.
#pragma once

#include <functional>

#include "expr/expr.hpp"
#include "write/c/language/syntax.hpp"

namespace reprise::write::c {

struct ExpressionNames {
  std::function<Expression(const std::string& variable)> variable;
  std::function<Expression(std::int64_t constant)> constant;
  // What a variable is at most, which is no less than 0; it is an int in C if that is one. Null:
  // nothing becomes too large for an int.
  std::function<std::int64_t(const std::string& variable)> most = {};
};

// The same value, an integer: an int, or a long long where it may be too large for that. Functions
// of the runtime part are called where an operator means something else in C for numbers below 0,
// which variables are not.
Expression c_of(const expr::Expr& e, const ExpressionNames& names);

// What the expression is at most, or at least below 0, as far as is seen. REQUIRES: names.most.
std::int64_t most_of(const expr::Expr& e, const ExpressionNames& names);

}  // namespace reprise::write::c
