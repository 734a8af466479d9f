// Integer expressions in coNCePTuaL, which has conditions apart from numbers.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "expr/expr.hpp"

namespace reprise::scalable {

// The text of a variable.
using VariableText = std::function<std::string(const std::string& name)>;
// What a variable is at least; none of them is negative.
using VariableLeast = std::function<std::int64_t(const std::string& name)>;

// A number; in parentheses if it is more than a name or a number. It is what the expression is
// wherever that has a value. Variables are taken not to be negative. Throws Unwritable for what the
// language has no operator for, and for divisors that are not seen to be positive: the language
// rounds these quotients and remainders another way.
std::string task_number(const expr::Expr& e, const VariableText& variable,
                        const VariableLeast& least = {});

// Whether it is not 0.
std::string task_condition(const expr::Expr& e, const VariableText& variable,
                           const VariableLeast& least = {});

}  // namespace reprise::scalable
