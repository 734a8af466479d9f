#include "expr/op.hpp"

#include <array>
#include <bit>
#include <limits>

#include "base/contract.hpp"

namespace reprise::expr {
namespace {

constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();

constexpr std::array<OpTraits, kOps> kTraits = {{
    {"", Form::leaf, 0, kLeafPrecedence},
    {"", Form::leaf, 0, kLeafPrecedence},
    {"+", Form::infix, 2, 10},
    {"-", Form::infix, 2, 10},
    {"*", Form::infix, 2, 11},
    {"/", Form::infix, 2, 11},
    {"%", Form::infix, 2, 11},
    {"<<", Form::infix, 2, 9},
    {">>", Form::infix, 2, 9},
    {"&", Form::infix, 2, 6},
    {"|", Form::infix, 2, 4},
    {"^", Form::infix, 2, 5},
    {"<", Form::infix, 2, 8},
    {"<=", Form::infix, 2, 8},
    {">", Form::infix, 2, 8},
    {">=", Form::infix, 2, 8},
    {"==", Form::infix, 2, 7},
    {"!=", Form::infix, 2, 7},
    {"&&", Form::infix, 2, 3},
    {"||", Form::infix, 2, 2},
    {"-", Form::prefix, 1, kPrefixPrecedence},
    {"!", Form::prefix, 1, kPrefixPrecedence},
    {"?", Form::ternary, 3, kTernaryPrecedence},
    {"min", Form::function, 2, kLeafPrecedence},
    {"max", Form::function, 2, kLeafPrecedence},
    {"log2", Form::function, 1, kLeafPrecedence},
    {"sqrt", Form::function, 1, kLeafPrecedence},
    {"cbrt", Form::function, 1, kLeafPrecedence},
    {"reverse", Form::function, 2, kLeafPrecedence},
    {"ctz", Form::function, 1, kLeafPrecedence},
    {"sum", Form::function, 3, kLeafPrecedence},
}};

// Whether C++, which rounds towards zero, rounds the quotient up.
bool is_rounded_up(std::int64_t a, std::int64_t b) { return a % b != 0 && (a % b < 0) != (b < 0); }

Fault divide(std::int64_t a, std::int64_t b, std::int64_t& quotient) {
  if (b == 0) return Fault::division_by_zero;
  if (b == -1)
    return __builtin_sub_overflow(std::int64_t{0}, a, &quotient) ? Fault::overflow : Fault::none;
  quotient = a / b - (is_rounded_up(a, b) ? 1 : 0);
  return Fault::none;
}

Fault modulo(std::int64_t a, std::int64_t b, std::int64_t& remainder) {
  if (b == 0) return Fault::division_by_zero;
  // C++ leaves undefined the remainder of a division that overflows.
  remainder = b == -1 ? 0 : a % b + (is_rounded_up(a, b) ? b : 0);
  return Fault::none;
}

Fault shift(Op op, std::int64_t a, std::int64_t b, std::int64_t& result) {
  if (b < 0 || b > 63) return Fault::shift;
  if (op == Op::shift_right) {
    result = a >> b;
    return Fault::none;
  }
  result = static_cast<std::int64_t>(static_cast<std::uint64_t>(a) << b);
  return result >> b == a ? Fault::none : Fault::overflow;
}

// The largest x with x^2 <= a, or x^3 for the cube root, by bisection.
Fault root(Op op, std::int64_t a, std::int64_t& result) {
  if (a < 0) return Fault::domain;
  std::int64_t low = 0;
  std::int64_t high = op == Op::sqrt ? 3037000500 : 2097152;  // exclusive
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    const std::int64_t raised = op == Op::sqrt ? middle * middle : middle * middle * middle;
    (raised <= a ? low : high) = middle;
  }
  result = low;
  return Fault::none;
}

Fault reverse(std::int64_t a, std::int64_t n, std::int64_t& result) {
  if (n <= 0 || !std::has_single_bit(static_cast<std::uint64_t>(n)) || a < 0 || a >= n) {
    return Fault::domain;
  }
  result = 0;
  for (std::int64_t bit = 1; bit < n; bit <<= 1) {
    result = result << 1 | static_cast<std::int64_t>((a & bit) != 0);
  }
  return Fault::none;
}

}  // namespace

const OpTraits& traits(Op op) { return kTraits[static_cast<std::size_t>(op)]; }

bool is_commutative(Op op) {
  return op == Op::add || op == Op::multiply || op == Op::bit_and || op == Op::bit_or ||
         op == Op::bit_xor || op == Op::minimum || op == Op::maximum;
}

std::string_view describe(Fault fault) {
  switch (fault) {
    case Fault::none: return "no fault";
    case Fault::overflow: return "overflow of 64 bits";
    case Fault::division_by_zero: return "division by zero";
    case Fault::shift: return "a shift by less than 0 or more than 63";
    case Fault::domain: return "an argument for which the function is not defined";
    case Fault::terms: return "sums of too many terms";
  }
  return "";
}

Fault apply(Op op, std::int64_t a, std::int64_t b, std::int64_t& result) {
  const auto fault_if = [](bool overflow) { return overflow ? Fault::overflow : Fault::none; };
  switch (op) {
    case Op::add: return fault_if(__builtin_add_overflow(a, b, &result));
    case Op::subtract: return fault_if(__builtin_sub_overflow(a, b, &result));
    case Op::multiply: return fault_if(__builtin_mul_overflow(a, b, &result));
    case Op::divide: return divide(a, b, result);
    case Op::modulo: return modulo(a, b, result);
    case Op::shift_left:
    case Op::shift_right: return shift(op, a, b, result);
    case Op::bit_and: result = a & b; break;
    case Op::bit_or: result = a | b; break;
    case Op::bit_xor: result = a ^ b; break;
    case Op::less: result = a < b; break;
    case Op::less_equal: result = a <= b; break;
    case Op::greater: result = a > b; break;
    case Op::greater_equal: result = a >= b; break;
    case Op::equal: result = a == b; break;
    case Op::not_equal: result = a != b; break;
    case Op::logical_and: result = a != 0 && b != 0; break;
    case Op::logical_or: result = a != 0 || b != 0; break;
    case Op::negate: return a == kMin ? Fault::overflow : (result = -a, Fault::none);
    case Op::logical_not: result = a == 0; break;
    case Op::minimum: result = a < b ? a : b; break;
    case Op::maximum: result = a < b ? b : a; break;
    case Op::log2:
      if (a <= 0) return Fault::domain;
      result = std::bit_width(static_cast<std::uint64_t>(a)) - 1;
      break;
    case Op::sqrt: return root(op, a, result);
    case Op::cbrt: return root(op, a, result);
    case Op::reverse: return reverse(a, b, result);
    case Op::ctz:
      if (a <= 0) return Fault::domain;
      result = std::countr_zero(static_cast<std::uint64_t>(a));
      break;
    case Op::constant:
    case Op::variable:
    case Op::conditional:
    case Op::sum: REPRISE_REQUIRE(false); break;
  }
  return Fault::none;
}

}  // namespace reprise::expr
