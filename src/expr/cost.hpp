// The length of expressions: what people write often is short.
#pragma once

#include <cstdint>

#include "expr/expr.hpp"

namespace reprise::expr {

// The digits of a number [bits]. Twos and tens, by which people make numbers round, count once.
std::uint32_t bits_of(std::int64_t number);

// What an expression takes to write down [bits]: some for each node, and the digits of its numbers.
std::uint32_t cost_of(const Expr& e);

}  // namespace reprise::expr
