// Operators that are conditions.
#pragma once

#include "expr/op.hpp"

namespace reprise::expr {

// Whether the operator yields 0 or 1, whatever it is applied to.
constexpr bool is_condition(Op op) {
  switch (op) {
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal:
    case Op::equal:
    case Op::not_equal:
    case Op::logical_and:
    case Op::logical_or:
    case Op::logical_not: return true;
    default: return false;
  }
}

}  // namespace reprise::expr
