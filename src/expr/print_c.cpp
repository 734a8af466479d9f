#include <limits>
#include <string_view>

#include "expr/print.hpp"

namespace reprise::expr {
namespace {

constexpr std::string_view kHelpers =
    R"(static inline long long reprise_divide(long long a, long long b) {
  return a / b - (a % b != 0 && (a % b < 0) != (b < 0));
}
static inline long long reprise_modulo(long long a, long long b) {
  return b == -1 ? 0 : a % b + (a % b != 0 && (a % b < 0) != (b < 0) ? b : 0);
}
static inline long long reprise_shift_left(long long a, long long b) {
  return a >= 0 ? a << b : -(-(a + 1) << b) - (1LL << b);
}
static inline long long reprise_shift_right(long long a, long long b) {
  return a >= 0 ? a >> b : -((-(a + 1)) >> b) - 1;
}
static inline long long reprise_min(long long a, long long b) { return a < b ? a : b; }
static inline long long reprise_max(long long a, long long b) { return a < b ? b : a; }
static inline long long reprise_log2(long long a) {
  long long result = 0;
  while (a > 1) {
    a /= 2;
    ++result;
  }
  return result;
}
static inline long long reprise_ctz(long long a) {
  long long result = 0;
  for (; a % 2 == 0; a /= 2) ++result;
  return result;
}
static inline long long reprise_sqrt(long long a) {
  long long low = 0, high = 3037000500LL;
  while (high - low > 1) {
    const long long middle = low + (high - low) / 2;
    if (middle * middle <= a) low = middle;
    else high = middle;
  }
  return low;
}
static inline long long reprise_cbrt(long long a) {
  long long low = 0, high = 2097152LL;
  while (high - low > 1) {
    const long long middle = low + (high - low) / 2;
    if (middle * middle * middle <= a) low = middle;
    else high = middle;
  }
  return low;
}
static inline long long reprise_reverse(long long a, long long n) {
  long long result = 0;
  for (; n > 1; n /= 2) {
    result = 2 * result + a % 2;
    a /= 2;
  }
  return result;
}
)";

using IsNatural = std::function<bool(std::string_view)>;

bool is_own_leaf(std::string_view name) {
  if (name == kRank || name == kRanks) return true;
  return name.size() >= 2 && (name[0] == 'd' || name[0] == 'x' || name[0] == 'i') &&
         name.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

// Whether the value, where there is one, is seen not to be negative.
bool is_natural(const Expr& e, const IsNatural& declared) {
  const auto operand = [&](std::size_t i) { return is_natural(e.operands()[i], declared); };
  switch (e.op()) {
    case Op::constant: return e.value() >= 0;
    case Op::variable: return is_own_leaf(e.name()) || (declared && declared(e.name()));
    case Op::add:
    case Op::multiply:
    case Op::divide:
    case Op::bit_or:
    case Op::bit_xor:
    case Op::minimum: return operand(0) && operand(1);
    case Op::bit_and:
    case Op::maximum: return operand(0) || operand(1);
    case Op::modulo: return operand(1);
    case Op::shift_left:
    case Op::shift_right: return operand(0);
    case Op::conditional: return operand(1) && operand(2);
    case Op::subtract:
    case Op::negate: return false;
    default: return true;  // comparisons, logic and the other functions
  }
}

// The function that stands for an operator where C's own would not do; empty where it would.
std::string_view helper(Op op, bool naturals) {
  switch (op) {
    case Op::divide: return naturals ? "" : "reprise_divide";
    case Op::modulo: return naturals ? "" : "reprise_modulo";
    case Op::shift_left: return naturals ? "" : "reprise_shift_left";
    case Op::shift_right: return naturals ? "" : "reprise_shift_right";
    case Op::minimum: return "reprise_min";
    case Op::maximum: return "reprise_max";
    case Op::log2: return "reprise_log2";
    case Op::sqrt: return "reprise_sqrt";
    case Op::cbrt: return "reprise_cbrt";
    case Op::reverse: return "reprise_reverse";
    case Op::ctz: return "reprise_ctz";
    default: return "";
  }
}

// Compilers warn where these stand beside other operators without parentheses.
bool is_easily_misread(Op op) {
  const std::uint8_t p = traits(op).precedence;
  return traits(op).form == Form::infix && p < traits(Op::add).precedence;
}

struct Printed {
  std::string text;
  std::uint8_t precedence;
  bool is_easily_misread;
};

std::string print_leaf(const Expr& e) {
  if (e.is_variable()) return e.name();
  if (e.value() == std::numeric_limits<std::int64_t>::min()) return "(-9223372036854775807LL - 1)";
  const std::string digits = std::to_string(e.value());
  return digits.size() > 9 ? digits + "LL" : digits;
}

Printed print_part(const Expr& e, const IsNatural& declared);

// An operand, in parentheses if it binds less tightly than `least` or compilers would warn.
std::string print_operand(const Expr& e, std::uint8_t least, Op above, const IsNatural& declared) {
  const Printed part = print_part(e, declared);
  const bool misread = traits(above).form == Form::infix && e.op() != above &&
                       part.precedence < kPrefixPrecedence &&
                       (part.is_easily_misread || is_easily_misread(above));
  return part.precedence < least || misread ? "(" + part.text + ")" : part.text;
}

Printed print_part(const Expr& e, const IsNatural& declared) {
  const OpTraits& t = traits(e.op());
  const auto operands = e.operands();
  const auto operand = [&](std::size_t i, int least) {
    return print_operand(operands[i], static_cast<std::uint8_t>(least), e.op(), declared);
  };
  if (t.form == Form::leaf) return {print_leaf(e), kLeafPrecedence, false};
  if (t.form == Form::ternary) {
    return {operand(0, kTernaryPrecedence + 1) + " ? " + operand(1, 0) + " : " +
                operand(2, kTernaryPrecedence),
            kTernaryPrecedence, false};
  }
  if (t.form == Form::prefix) {
    // "--" would be one token.
    const std::string inner = operand(0, kPrefixPrecedence);
    const std::string apart = inner.starts_with('-') ? "(" + inner + ")" : inner;
    return {std::string(t.symbol) + apart, kPrefixPrecedence, false};
  }
  const bool naturals = is_natural(operands[0], declared) &&
                        (operands.size() < 2 || is_natural(operands[1], declared));
  if (const std::string_view name = helper(e.op(), naturals); !name.empty()) {
    std::string call = std::string(name) + "(" + print_part(operands[0], declared).text;
    if (operands.size() > 1) call += ", " + print_part(operands[1], declared).text;
    return {call + ")", kLeafPrecedence, false};
  }
  return {
      operand(0, t.precedence) + " " + std::string(t.symbol) + " " + operand(1, t.precedence + 1),
      t.precedence, is_easily_misread(e.op())};
}

}  // namespace

std::string print_c(const Expr& e, const IsNatural& declared) {
  return print_part(e, declared).text;
}

std::string_view c_helpers() { return kHelpers; }

}  // namespace reprise::expr
