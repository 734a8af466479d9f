#include "conceptual/evaluate.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace reprise::conceptual {
namespace {

[[noreturn]] void fail(const Expression& e, const std::string& problem) {
  throw RunError{e.place, problem};
}

// By reference: the result is written while the arguments are evaluated.
std::int64_t checked(const Expression& e, bool overflows, const std::int64_t& result) {
  if (overflows) fail(e, "a number does not fit into 64 bits");
  return result;
}

std::int64_t power(const Expression& e, std::int64_t base, std::int64_t exponent) {
  if (exponent < 0) return base == 1 ? 1 : base == -1 ? (exponent % 2 != 0 ? -1 : 1) : 0;
  if (base == 0 || base == 1) return exponent == 0 ? 1 : base;
  if (base == -1) return exponent % 2 != 0 ? -1 : 1;
  std::int64_t out = 1;
  for (; exponent > 0; --exponent) {
    checked(e, __builtin_mul_overflow(out, base, &out), out);
  }
  return out;
}

std::int64_t shift(const Expression& e, std::int64_t a, std::int64_t by) {
  if (by <= -64 || by >= 64) fail(e, "a shift is by 64 places or more");
  if (by < 0) return a >> -by;
  const std::int64_t out = static_cast<std::int64_t>(static_cast<std::uint64_t>(a) << by);
  return checked(e, (out >> by) != a, out);
}

std::int64_t combine(const Expression& e, std::int64_t a, std::int64_t b) {
  std::int64_t out = 0;
  switch (e.op) {
    case Operator::add: return checked(e, __builtin_add_overflow(a, b, &out), out);
    case Operator::subtract: return checked(e, __builtin_sub_overflow(a, b, &out), out);
    case Operator::multiply: return checked(e, __builtin_mul_overflow(a, b, &out), out);
    case Operator::divide:
      if (b == 0) fail(e, "a division by zero");
      return b == -1 ? checked(e, __builtin_sub_overflow(std::int64_t{0}, a, &out), out) : a / b;
    case Operator::modulo:
      if (b == 0) fail(e, "a division by zero");
      if (b == -1) return 0;
      out = a % b;
      return out != 0 && (out < 0) != (b < 0) ? out + b : out;
    case Operator::power: return power(e, a, b);
    case Operator::shift_left: return shift(e, a, b);
    case Operator::shift_right: return shift(e, a, b == INT64_MIN ? INT64_MAX : -b);
    case Operator::bit_and: return a & b;
    case Operator::bit_or: return a | b;
    case Operator::bit_xor: return a ^ b;
    case Operator::less: return a < b;
    case Operator::less_equal: return a <= b;
    case Operator::greater: return a > b;
    case Operator::greater_equal: return a >= b;
    case Operator::equal: return a == b;
    case Operator::not_equal: return a != b;
    case Operator::divides:
      if (a == 0) fail(e, "a division by zero");
      return a == -1 || b % a == 0;
    default: fail(e, "an operator that is not known");
  }
}

}  // namespace

std::int64_t evaluate(const Expression& e, const Values& values) {
  const auto operand = [&](std::size_t i) { return evaluate(e.operands[i], values); };
  switch (e.op) {
    case Operator::number: return e.value;
    case Operator::variable: return values[static_cast<std::size_t>(e.value)];
    case Operator::negate: {
      const std::int64_t a = operand(0);
      return checked(e, a == INT64_MIN, a == INT64_MIN ? a : -a);
    }
    case Operator::invert: return ~operand(0);
    case Operator::logical_not: return operand(0) == 0;
    case Operator::logical_and: return operand(0) != 0 && operand(1) != 0;
    case Operator::logical_or: return operand(0) != 0 || operand(1) != 0;
    case Operator::conditional: return operand(0) != 0 ? operand(1) : operand(2);
    case Operator::is_even: return operand(0) % 2 == 0;
    case Operator::is_odd: return operand(0) % 2 != 0;
    case Operator::is_in: {
      const std::int64_t a = operand(0), low = operand(1), high = operand(2);
      return std::min(low, high) <= a && a <= std::max(low, high);
    }
    case Operator::minimum:
    case Operator::maximum: {
      std::int64_t out = operand(0);
      for (std::size_t i = 1; i < e.operands.size(); ++i) {
        out = e.op == Operator::minimum ? std::min(out, operand(i)) : std::max(out, operand(i));
      }
      return out;
    }
    case Operator::absolute: {
      const std::int64_t a = operand(0);
      return a < 0 ? checked(e, a == INT64_MIN, a == INT64_MIN ? a : -a) : a;
    }
    case Operator::square_root: {
      const std::int64_t a = operand(0);
      if (a < 0) fail(e, "a square root of a negative number");
      auto root = static_cast<std::int64_t>(std::sqrt(static_cast<double>(a)));
      while (root > 0 && root > a / root) --root;
      while (root + 1 <= a / (root + 1)) ++root;
      return root;
    }
    case Operator::bits: {
      const std::int64_t a = operand(0);
      return static_cast<std::int64_t>(
          std::bit_width(static_cast<std::uint64_t>(a < 0 ? -(a + 1) : a)));
    }
    default: return combine(e, operand(0), operand(1));
  }
}

double evaluate_real(const Expression& e, const Values& values) {
  const auto operand = [&](std::size_t i) { return evaluate_real(e.operands[i], values); };
  switch (e.op) {
    case Operator::number: return e.real != 0 ? e.real : static_cast<double>(e.value);
    case Operator::variable: return static_cast<double>(values[static_cast<std::size_t>(e.value)]);
    case Operator::add: return operand(0) + operand(1);
    case Operator::subtract: return operand(0) - operand(1);
    case Operator::multiply: return operand(0) * operand(1);
    case Operator::divide: {
      const double b = operand(1);
      if (b == 0) fail(e, "a division by zero");
      return operand(0) / b;
    }
    case Operator::negate: return -operand(0);
    case Operator::square_root: return std::sqrt(operand(0));
    case Operator::conditional:
      return evaluate(e.operands[0], values) != 0 ? operand(1) : operand(2);
    default: return static_cast<double>(evaluate(e, values));
  }
}

}  // namespace reprise::conceptual
