// The operators of integer expressions: how they are written, and what they compute.
//
// Values are 64-bit integers. Nothing is undefined: an operation whose result does not fit, or that
// has no result, yields a Fault. Semantics, where they are not those of every language:
//   a / b   floor division: rounds towards minus infinity
//   a % b   a - b * (a / b): non-negative for every positive b
//   a << b  a * 2^b, a >> b: floor of a / 2^b, for 0 <= b < 64
//   & | ^   on two's complement
//   comparisons, !, && and || yield 0 or 1; &&, || and ?: evaluate only what they need
//   log2    floor of the logarithm of a positive number
//   ctz     zeros behind the last one of a positive number in binary: how often 2 divides it
//   sqrt, cbrt  floor of the root, of a number >= 0
//   reverse(a, n)  the lowest log2(n) bits of a in reverse order, for a power of two n, a below it
//   sum(k, n, e)   e for k = 0, 1, ..., n - 1, added up; 0 for n <= 0. The variable k is bound in e
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace reprise::expr {

enum class Op : std::uint8_t {
  constant,
  variable,
  add,
  subtract,
  multiply,
  divide,
  modulo,
  shift_left,
  shift_right,
  bit_and,
  bit_or,
  bit_xor,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  logical_and,
  logical_or,
  negate,
  logical_not,
  conditional,
  minimum,
  maximum,
  log2,
  sqrt,
  cbrt,
  reverse,
  ctz,
  sum,
};
inline constexpr std::uint8_t kOps = static_cast<std::uint8_t>(Op::sum) + 1;

// The most terms that the sums of one evaluation add up together.
inline constexpr std::int64_t kMostTerms = std::int64_t{1} << 20;

enum class Form : std::uint8_t { leaf, prefix, infix, ternary, function };

struct OpTraits {
  std::string_view symbol;
  Form form;
  std::uint8_t operands;
  std::uint8_t precedence;  // as in C; a higher one binds tighter
};
const OpTraits& traits(Op op);

inline constexpr std::uint8_t kTernaryPrecedence = 1;
inline constexpr std::uint8_t kPrefixPrecedence = 12;
inline constexpr std::uint8_t kLeafPrecedence = 13;

// (a op b) op c == a op (b op c), and a op b == b op a, as long as nothing overflows.
bool is_commutative(Op op);

enum class Fault : std::uint8_t { none, overflow, division_by_zero, shift, domain, terms };
// "overflow", "division by zero" and so on.
std::string_view describe(Fault fault);

// Applies an operator with one or two operands; `b` is unused where there is one.
// REQUIRES: op is neither a leaf nor conditional nor a sum.
Fault apply(Op op, std::int64_t a, std::int64_t b, std::int64_t& result);

}  // namespace reprise::expr
