#include "write/python/expressions.hpp"

#include <array>
#include <optional>
#include <vector>

#include "write/unwritable.hpp"

namespace reprise::write::python {
namespace {

using expr::Expr;
using expr::Op;

std::optional<Operator> operator_of(Op op) {
  switch (op) {
    case Op::add: return Operator::add;
    case Op::subtract: return Operator::subtract;
    case Op::multiply: return Operator::multiply;
    case Op::divide: return Operator::divide;
    case Op::modulo: return Operator::modulo;
    case Op::shift_left: return Operator::shift_left;
    case Op::shift_right: return Operator::shift_right;
    case Op::bit_and: return Operator::bit_and;
    case Op::bit_or: return Operator::bit_or;
    case Op::bit_xor: return Operator::bit_xor;
    case Op::less: return Operator::less;
    case Op::less_equal: return Operator::less_equal;
    case Op::greater: return Operator::greater;
    case Op::greater_equal: return Operator::greater_equal;
    case Op::equal: return Operator::equal;
    case Op::not_equal: return Operator::not_equal;
    case Op::logical_and: return Operator::logical_and;
    case Op::logical_or: return Operator::logical_or;
    default: return std::nullopt;
  }
}

bool is_comparison(Op op) { return op >= Op::less && op <= Op::not_equal; }

bool is_logical(Op op) { return op == Op::logical_and || op == Op::logical_or; }

class Translator {
 public:
  Translator(const ExpressionNames& names, Parts& parts) : names_(names), parts_(parts) {}

  Expression run(const Expr& e, bool is_condition) {
    if (e.is_constant()) {
      if (is_condition) return name(e.value() != 0 ? "True" : "False");
      return names_.constant(e.value());
    }
    if (e.is_variable()) return names_.variable(e.name());
    const auto operands = e.operands();
    const Op op = e.op();
    if (const auto infix = operator_of(op)) {
      Expression out =
          binary(*infix, run(operands[0], is_logical(op)), run(operands[1], is_logical(op)));
      return is_condition || !(is_comparison(op) || is_logical(op))
                 ? out
                 : call("int", {as_bool(op, out)});
    }
    switch (op) {
      case Op::sum: throw Unwritable{"it has a value that is a sum over cells"};
      case Op::negate: return unary(Prefix::negate, run(operands[0], false));
      case Op::logical_not: {
        Expression out = unary(Prefix::logical_not, run(operands[0], true));
        return is_condition ? out : call("int", {std::move(out)});
      }
      case Op::conditional:
        return conditional(run(operands[1], is_condition), run(operands[0], true),
                           run(operands[2], is_condition));
      default: return function(e);
    }
  }

 private:
  // `and` and `or` give one of their operands.
  static Expression as_bool(Op op, Expression e) {
    return is_logical(op) ? call("bool", {std::move(e)}) : std::move(e);
  }

  Expression function(const Expr& e) {
    std::vector<Expression> operands;
    for (const Expr& o : e.operands()) operands.push_back(run(o, false));
    switch (e.op()) {
      case Op::minimum: return call("min", std::move(operands));
      case Op::maximum: return call("max", std::move(operands));
      default: break;
    }
    parts_.insert(RuntimePart::arithmetic);
    switch (e.op()) {
      case Op::log2: return call("log2", std::move(operands));
      case Op::sqrt: return call("integer_root", {operands[0], number(2)});
      case Op::cbrt: return call("integer_root", {operands[0], number(3)});
      case Op::reverse: return call("reverse_bits", std::move(operands));
      default: return call("trailing_zeros", std::move(operands));
    }
  }

  const ExpressionNames& names_;
  Parts& parts_;
};

}  // namespace

Expression python_of(const Expr& e, const ExpressionNames& names, Parts& parts, bool is_condition) {
  return Translator(names, parts).run(e, is_condition);
}

}  // namespace reprise::write::python
