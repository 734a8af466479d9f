// Integer expressions in coNCePTuaL, which has conditions apart from numbers.
#pragma once

#include <functional>

#include "expr/expr.hpp"
#include "write/conceptual/language/syntax.hpp"

namespace reprise::write::conceptual {

// What a variable is at least; none of them is negative.
using VariableLeast = std::function<std::int64_t(const std::string& name)>;

// A number that is what the expression is wherever that has a value. Variables keep their names,
// but `ranks` is num_tasks; they are taken not to be negative. Throws Unwritable for what the
// language has no operator for, and for divisors that are not seen to be positive: the language
// rounds these quotients and remainders another way.
ast::Expr number_of(const expr::Expr& e, const VariableLeast& least = {});

// That both conditions hold.
expr::Expr both(const expr::Expr& a, const expr::Expr& b);

// Whether it is not 0.
ast::Relation condition_of(const expr::Expr& e, const VariableLeast& least = {});

}  // namespace reprise::write::conceptual
