#include "scalable/task_expression.hpp"

#include <algorithm>

#include "scalable/unwritable.hpp"
#include "trace/special.hpp"

namespace reprise::scalable {
namespace {

using expr::Expr;
using expr::Op;

// Seen not to be negative where it has a value.
bool is_natural(const Expr& e) {
  const auto all = [&](std::size_t from) {
    return std::all_of(e.operands().begin() + static_cast<std::ptrdiff_t>(from), e.operands().end(),
                       is_natural);
  };
  switch (e.op()) {
    case Op::constant: return e.value() >= 0;
    case Op::variable: return true;
    case Op::subtract:
    case Op::negate: return false;
    case Op::bit_and: return is_natural(e.operands()[0]) || is_natural(e.operands()[1]);
    case Op::maximum: return is_natural(e.operands()[0]) || is_natural(e.operands()[1]);
    case Op::modulo: return is_natural(e.operands()[1]);
    case Op::shift_left:
    case Op::shift_right: return is_natural(e.operands()[0]);
    case Op::conditional: return all(1);
    case Op::add:
    case Op::multiply:
    case Op::divide:
    case Op::bit_or:
    case Op::bit_xor:
    case Op::minimum: return all(0);
    default: return true;  // conditions, roots and the like
  }
}

bool is_relation(Op op) {
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
  explicit Printer(const VariableText& variable) : variable_(variable) {}

  std::string number(const Expr& e) const {
    const auto o = e.operands();
    const auto call = [&](const std::string& name) {
      std::string out;
      for (const Expr& each : o) out += (out.empty() ? "" : ", ") + number(each);
      return "(" + name + "(" + out + "))";
    };
    if (is_relation(e.op())) return "(1 IF " + condition(e, true) + " OTHERWISE 0)";
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
      case Op::reverse: throw Unwritable{"bits are reversed, which the language cannot say"};
      case Op::divide:
        if (!is_natural(o[0])) return divided(o[0], o[1]);
        break;
      default: break;
    }
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
    if (is_relation(e.op())) {
      const Op op = holds ? e.op() : opposite(e.op());
      return number(o[0]) + symbol(op) + number(o[1]);
    }
    return number(e) + (holds ? " <> 0" : " = 0");
  }

 private:
  // The language rounds towards zero, laws downwards.
  std::string divided(const Expr& a, const Expr& b) const {
    if (!is_natural(b)) throw Unwritable{"it divides by what may be negative"};
    const std::string x = number(a), y = number(b);
    return "(" + x + "/" + y + " IF " + x + " >= 0 OTHERWISE (0-((" + y + "-1-" + x + ")/" + y +
           ")))";
  }

  const VariableText& variable_;
};

}  // namespace

std::string task_number(const expr::Expr& e, const VariableText& variable) {
  return Printer(variable).number(e);
}

std::string task_condition(const expr::Expr& e, const VariableText& variable) {
  return Printer(variable).condition(e, true);
}

}  // namespace reprise::scalable
