#include "conceptual/evaluate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "conceptual/values/progression.hpp"

namespace reprise::conceptual {
namespace {

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

[[noreturn]] void too_large(const Expr& e) {
  throw Problem{e.at, "a number is too large (it takes more than 63 bits); take a smaller one"};
}

[[noreturn]] void by_zero(const Expr& e) {
  throw Problem{e.at,
                "a number is divided by zero (there is no result); check what it is divided "
                "by"};
}

// a * 2^b; negative b divide.
std::int64_t shifted(const Expr& e, std::int64_t a, std::int64_t b) {
  if (b <= -63) return a < 0 ? -1 : 0;
  if (b < 0) return a >> -b;
  std::int64_t out = 0;
  if (a == 0) return 0;
  if (b > 62 || __builtin_mul_overflow(a, std::int64_t{1} << b, &out)) too_large(e);
  return out;
}

// The remainder that is not negative, whatever the signs.
std::int64_t remainder(const Expr& e, std::int64_t a, std::int64_t b) {
  if (b == 0) by_zero(e);
  if (b == -1 || b == 1) return 0;
  const std::int64_t r = a % b;
  return r >= 0 ? r : b > 0 ? r + b : r - b;
}

std::int64_t quotient(const Expr& e, std::int64_t a, std::int64_t b) {
  if (b == 0) by_zero(e);
  if (a == kLeast && b == -1) too_large(e);
  return a / b;
}

std::int64_t to_integer(const Expr& e, double x) {
  if (!(x >= -0x1p63 && x < 0x1p63)) too_large(e);
  return static_cast<std::int64_t>(x);
}

}  // namespace

std::int64_t Evaluator::integer(const Expr& e) const {
  switch (e.op) {
    case Op::number: return e.value;
    case Op::variable: return variables_[e.slot];
    case Op::negate: {
      const std::int64_t x = integer(e.operands[0]);
      if (x == kLeast) too_large(e);
      return -x;
    }
    case Op::complement: return ~integer(e.operands[0]);
    case Op::conditional: return integer(e.operands[holds(*e.condition) ? 0 : 1]);
    case Op::real: return to_integer(e, std::round(real(e.operands[0])));
    case Op::call: {
      std::vector<std::int64_t> arguments;
      for (const Expr& operand : e.operands) arguments.push_back(integer(operand));
      return call_integer(e, arguments, context_);
    }
    default: return binary(e);
  }
}

std::int64_t Evaluator::binary(const Expr& e) const {
  const std::int64_t a = integer(e.operands[0]), b = integer(e.operands[1]);
  std::int64_t out = 0;
  switch (e.op) {
    case Op::add:
      if (__builtin_add_overflow(a, b, &out)) too_large(e);
      return out;
    case Op::subtract:
      if (__builtin_sub_overflow(a, b, &out)) too_large(e);
      return out;
    case Op::multiply:
      if (__builtin_mul_overflow(a, b, &out)) too_large(e);
      return out;
    case Op::divide: return quotient(e, a, b);
    case Op::modulo: return remainder(e, a, b);
    case Op::shift_left: return shifted(e, a, b);
    case Op::shift_right: return shifted(e, a, b == kLeast ? -(b + 1) : -b);
    case Op::bit_and: return a & b;
    case Op::bit_or: return a | b;
    case Op::bit_xor: return a ^ b;
    default: break;
  }
  if (a == 0 && b <= 0) by_zero(e);
  const std::optional<std::int64_t> power = integer_power(a, b);
  if (!power) too_large(e);
  return *power;
}

double Evaluator::real(const Expr& e) const {
  switch (e.op) {
    case Op::number: return static_cast<double>(e.value);
    case Op::variable: return static_cast<double>(variables_[e.slot]);
    case Op::negate: return -real(e.operands[0]);
    case Op::complement: return static_cast<double>(~to_integer(e, real(e.operands[0])));
    case Op::conditional: return real(e.operands[holds(*e.condition) ? 0 : 1]);
    case Op::real: return real(e.operands[0]);
    case Op::call: {
      std::vector<double> arguments;
      for (const Expr& operand : e.operands) arguments.push_back(real(operand));
      return call_real(e, arguments, context_);
    }
    default: return real_binary(e);
  }
}

double Evaluator::real_binary(const Expr& e) const {
  const double a = real(e.operands[0]), b = real(e.operands[1]);
  const auto integers = [&](auto f) {
    return static_cast<double>(f(to_integer(e, a), to_integer(e, b)));
  };
  switch (e.op) {
    case Op::add: return a + b;
    case Op::subtract: return a - b;
    case Op::multiply: return a * b;
    case Op::divide:
      if (b == 0) by_zero(e);
      return a / b;
    case Op::modulo: {
      if (b == 0) by_zero(e);
      const double r = std::fmod(a, std::abs(b));
      return r < 0 ? r + std::abs(b) : r;
    }
    case Op::shift_left: return a * std::exp2(b);
    case Op::shift_right: return a / std::exp2(b);
    case Op::bit_and: return integers([](auto x, auto y) { return x & y; });
    case Op::bit_or: return integers([](auto x, auto y) { return x | y; });
    case Op::bit_xor: return integers([](auto x, auto y) { return x ^ y; });
    default:
      if (a == 0 && b <= 0) by_zero(e);
      return std::pow(a, b);
  }
}

bool Evaluator::is_in(const Relation& r) const {
  const std::int64_t x = integer(r.operands[0]);
  return std::any_of(r.ranges.begin(), r.ranges.end(),
                     [&](const Range& range) { return Progression(range, *this).contains(x); });
}

bool Evaluator::holds(const Relation& r) const {
  using Kind = Relation::Kind;
  const auto left = [&] { return integer(r.operands[0]); };
  const auto right = [&] { return integer(r.operands[1]); };
  const auto part_holds = [&](const Relation& part) { return holds(part); };
  switch (r.kind) {
    case Kind::equal: return left() == right();
    case Kind::less: return left() < right();
    case Kind::greater: return left() > right();
    case Kind::at_most: return left() <= right();
    case Kind::at_least: return left() >= right();
    case Kind::unequal: return left() != right();
    case Kind::divides: return remainder(r.operands[0], right(), left()) == 0;
    case Kind::even: return (left() & 1) == 0;
    case Kind::odd: return (left() & 1) != 0;
    case Kind::in: return is_in(r);
    case Kind::not_in: return !is_in(r);
    case Kind::both: return std::all_of(r.parts.begin(), r.parts.end(), part_holds);
    case Kind::either: return std::any_of(r.parts.begin(), r.parts.end(), part_holds);
  }
  return false;
}

}  // namespace reprise::conceptual
