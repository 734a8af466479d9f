// The length of expressions: what people write often is short.
#pragma once

#include <cstdint>

#include "expr/expr.hpp"

namespace reprise::expr {

// What an expression takes to write down [bits]: some for each node, and the digits of its numbers.
// Twos and tens, by which people make numbers round, count once.
std::uint32_t cost_of(const Expr& e);

}  // namespace reprise::expr
