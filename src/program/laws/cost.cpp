#include "program/laws/cost.hpp"

#include <bit>

#include "trace/values/special.hpp"

namespace reprise::program {
namespace {

using expr::Expr;
using expr::Op;

constexpr Bits kVariableBits = 4;
constexpr Bits kSpecialBits = 4;
constexpr Bits kTermBits = 3;  // of a table, beside its numbers

// A division by what is not a number says something of arithmetic, hardly ever of a program.
constexpr Bits kOddDivisor = 24;

Bits bits_of_operator(const Expr& e) {
  switch (e.op()) {
    case Op::add:
    case Op::subtract:
    case Op::negate:
    case Op::logical_not:
    case Op::logical_and:
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal:
    case Op::equal: return 4;
    case Op::not_equal:
    case Op::multiply:
    case Op::logical_or: return 5;
    case Op::conditional: return 6;
    case Op::divide:
    case Op::modulo: {
      const Expr& by = e.operands()[1];
      const bool plain = by.is_constant() || (by.is_variable() && by.name() != expr::kRank);
      return plain ? 6 : kOddDivisor;
    }
    case Op::minimum:
    case Op::maximum: return 10;
    default: return 16;  // bits, roots and logarithms
  }
}

}  // namespace

Bits bits_of(std::int64_t number) {
  if (trace::is_special(number)) return kSpecialBits;
  const auto magnitude = static_cast<std::uint64_t>(number < 0 ? -number : number);
  return 2 * static_cast<Bits>(std::bit_width(magnitude)) + 1 + (number < 0 ? 1 : 0);
}

Bits bits_of(const Expr& e) {
  if (e.is_constant()) return bits_of(e.value());
  if (e.is_variable()) return kVariableBits;
  Bits bits = bits_of_operator(e);
  for (const Expr& operand : e.operands()) bits += bits_of(operand);
  return bits;
}

namespace {

Bits bits_of_terms(const std::vector<trace::Term>& terms) {
  Bits bits = 0;
  for (const trace::Term& t : terms) {
    bits += kTermBits + (t.is_run() ? bits_of(t.value) : bits_of_terms(t.body));
    if (t.count != 1 && t.count != trace::kUnbounded)
      bits += bits_of(static_cast<std::int64_t>(t.count));
    if (t.step != 0) bits += bits_of(t.step);
  }
  return bits;
}

}  // namespace

Bits bits_of(const trace::Series& series) { return bits_of_terms(series.terms()); }

}  // namespace reprise::program
