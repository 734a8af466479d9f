#include "scalable/task_expression.hpp"

#include <algorithm>
#include <optional>

#include "base/contract.hpp"
#include "scalable/law_terms.hpp"
#include "scalable/unwritable.hpp"
#include "trace/special.hpp"

namespace reprise::scalable {
namespace {

using expr::Expr;
using expr::Op;

const char* symbol(Op op) {
  switch (op) {
    case Op::add: return "+";
    case Op::subtract: return "-";
    case Op::multiply: return "*";
    case Op::divide: return "/";
    case Op::modulo: return " MOD ";
    case Op::shift_left: return " << ";
    case Op::shift_right: return " >> ";
    case Op::bit_and: return " & ";
    case Op::bit_or: return " | ";
    case Op::bit_xor: return " XOR ";
    case Op::less: return " < ";
    case Op::less_equal: return " <= ";
    case Op::greater: return " > ";
    case Op::greater_equal: return " >= ";
    case Op::equal: return " = ";
    case Op::not_equal: return " <> ";
    default: return nullptr;
  }
}

Op opposite(Op op) {
  switch (op) {
    case Op::less: return Op::greater_equal;
    case Op::less_equal: return Op::greater;
    case Op::greater: return Op::less_equal;
    case Op::greater_equal: return Op::less;
    case Op::equal: return Op::not_equal;
    default: return Op::equal;
  }
}

std::string constant(std::int64_t v) {
  if (v == trace::kProcNull) return "(0-1)";  // a task that there is not: nothing is done
  if (trace::is_special(v)) throw Unwritable{"a value is none on some ranks"};
  return v < 0 ? "(0-" + std::to_string(0 - static_cast<std::uint64_t>(v)) + ")"
               : std::to_string(v);
}

class Printer {
 public:
  Printer(const VariableText& variable, const VariableLeast& least)
      : variable_(variable), least_(least) {}

  std::string number(const Expr& e) const {
    const auto o = e.operands();
    const auto call = [&](const std::string& name) {
      std::string out;
      for (const Expr& each : o) out += (out.empty() ? "" : ", ") + number(each);
      return "(" + name + "(" + out + "))";
    };
    if (is_condition(e.op())) return "(1 IF " + condition(e, true) + " OTHERWISE 0)";
    switch (e.op()) {
      case Op::constant: return constant(e.value());
      case Op::variable: return variable_(e.name());
      case Op::negate: return "(0-" + number(o[0]) + ")";
      case Op::conditional:
        return "(" + number(o[1]) + " IF " + condition(o[0], true) + " OTHERWISE " + number(o[2]) +
               ")";
      case Op::minimum: return call("MIN");
      case Op::maximum: return call("MAX");
      case Op::sqrt: return call("SQRT");
      case Op::cbrt: return call("CBRT");
      case Op::log2: return "(" + call("BITS") + "-1)";
      case Op::ctz: {
        const std::string x = number(o[0]);
        return "(BITS(" + x + " & (0-" + x + "))-1)";
      }
      case Op::reverse: throw Unwritable{"bits are reversed, which the language cannot say"};
      case Op::divide:
        if (!is_natural(o[1])) throw Unwritable{"it divides by what may be negative"};
        if (!is_natural(o[0])) return divided(o[0], o[1]);
        break;
      case Op::modulo:
        if (!is_natural(o[1])) throw Unwritable{"it divides by what may be negative"};
        break;
      default: break;
    }
    REPRISE_REQUIRE(symbol(e.op()) != nullptr && o.size() == 2);
    return "(" + number(o[0]) + symbol(e.op()) + number(o[1]) + ")";
  }

  // `holds`: or the opposite.
  std::string condition(const Expr& e, bool holds) const {
    const auto o = e.operands();
    if (e.op() == Op::logical_not) return condition(o[0], !holds);
    if (e.op() == Op::logical_and || e.op() == Op::logical_or) {
      const bool is_and = (e.op() == Op::logical_and) == holds;
      return "(" + condition(o[0], holds) + (is_and ? " /\\ " : " \\/ ") + condition(o[1], holds) +
             ")";
    }
    if (is_condition(e.op())) {
      const Op op = holds ? e.op() : opposite(e.op());
      return number(o[0]) + symbol(op) + number(o[1]);
    }
    return number(e) + (holds ? " <> 0" : " = 0");
  }

 private:
  // What it is at least wherever it has a value, as far as that is seen.
  std::optional<std::int64_t> least(const Expr& e) const {
    const auto o = e.operands();
    std::int64_t out = 0;
    switch (e.op()) {
      case Op::constant: return e.value();
      case Op::variable: return std::max<std::int64_t>(0, least_ ? least_(e.name()) : 0);
      case Op::add: {
        const auto a = least(o[0]), b = least(o[1]);
        if (!a || !b || __builtin_add_overflow(*a, *b, &out)) return std::nullopt;
        return out;
      }
      case Op::subtract: {
        const auto a = least(o[0]);
        if (!a || !o[1].is_constant() || __builtin_sub_overflow(*a, o[1].value(), &out))
          return std::nullopt;
        return out;
      }
      case Op::multiply: {
        const auto a = least(o[0]), b = least(o[1]);
        if (!a || !b || *a < 0 || *b < 0 || __builtin_mul_overflow(*a, *b, &out))
          return std::nullopt;
        return out;
      }
      case Op::conditional:
      case Op::minimum: {
        const std::size_t first = e.op() == Op::conditional ? 1 : 0;
        const auto a = least(o[first]), b = least(o[first + 1]);
        return a && b ? std::optional(std::min(*a, *b)) : std::nullopt;
      }
      case Op::maximum: {
        const auto a = least(o[0]), b = least(o[1]);
        return a && b ? std::optional(std::max(*a, *b)) : a ? a : b;
      }
      case Op::negate: return std::nullopt;
      case Op::bit_and: return natural_if(is_natural(o[0]) || is_natural(o[1]));
      case Op::modulo: return natural_if(is_natural(o[1]));
      case Op::shift_left:
      case Op::shift_right: return natural_if(is_natural(o[0]));
      case Op::divide:
      case Op::bit_or:
      case Op::bit_xor: return natural_if(is_natural(o[0]) && is_natural(o[1]));
      default: return 0;  // conditions, roots and the like
    }
  }

  static std::optional<std::int64_t> natural_if(bool is_natural) {
    return is_natural ? std::optional<std::int64_t>(0) : std::nullopt;
  }

  // Seen not to be negative where it has a value.
  bool is_natural(const Expr& e) const { return least(e).value_or(-1) >= 0; }

  // The language rounds towards zero, laws downwards. REQUIRES: b is natural.
  std::string divided(const Expr& a, const Expr& b) const {
    const std::string x = number(a), y = number(b);
    return "(" + x + "/" + y + " IF " + x + " >= 0 OTHERWISE (0-1-(0-1-" + x + ")/" + y + "))";
  }

  const VariableText& variable_;
  const VariableLeast& least_;
};

}  // namespace

std::string task_number(const expr::Expr& e, const VariableText& variable,
                        const VariableLeast& least) {
  return Printer(variable, least).number(e);
}

std::string task_condition(const expr::Expr& e, const VariableText& variable,
                           const VariableLeast& least) {
  return Printer(variable, least).condition(e, true);
}

}  // namespace reprise::scalable
