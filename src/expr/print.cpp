#include "expr/print.hpp"

namespace reprise::expr {
namespace {

std::string in_parentheses(const std::string& text, bool needed) {
  return needed ? "(" + text + ")" : text;
}

std::string print_function(const Expr& e) {
  std::string out(traits(e.op()).symbol);
  char before = '(';
  for (const Expr& operand : e.operands()) {
    out += before;
    if (before == ',') out += ' ';
    out += print(operand);
    before = ',';
  }
  return out + ")";
}

// An operand, in parentheses if it binds less tightly than `least`.
std::string print_operand(const Expr& e, std::uint8_t least) {
  return in_parentheses(print(e), traits(e.op()).precedence < least);
}

}  // namespace

std::string print(const Expr& e) {
  const OpTraits& t = traits(e.op());
  const auto operands = e.operands();
  switch (t.form) {
    case Form::leaf: return e.is_constant() ? std::to_string(e.value()) : e.name();
    case Form::prefix: {
      // "-5" would be a constant.
      const bool number = operands[0].is_constant() && operands[0].value() >= 0;
      const std::string operand = print_operand(operands[0], kPrefixPrecedence);
      return std::string(t.symbol) + in_parentheses(operand, number && e.op() == Op::negate);
    }
    case Form::infix:
      return print_operand(operands[0], t.precedence) + " " + std::string(t.symbol) + " " +
             print_operand(operands[1], t.precedence + 1);
    case Form::ternary:
      return print_operand(operands[0], kTernaryPrecedence + 1) + " ? " + print(operands[1]) +
             " : " + print(operands[2]);
    case Form::function: return print_function(e);
  }
  return {};
}

}  // namespace reprise::expr
