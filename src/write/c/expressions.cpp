#include "write/c/expressions.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "trace/special.hpp"

namespace reprise::write::c {
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

// Functions of expr::c_helpers.
std::string_view function_of(Op op) {
  switch (op) {
    case Op::divide: return "reprise_divide";
    case Op::modulo: return "reprise_modulo";
    case Op::shift_left: return "reprise_shift_left";
    case Op::shift_right: return "reprise_shift_right";
    case Op::minimum: return "reprise_min";
    case Op::maximum: return "reprise_max";
    case Op::log2: return "reprise_log2";
    case Op::ctz: return "reprise_ctz";
    case Op::sqrt: return "reprise_sqrt";
    case Op::cbrt: return "reprise_cbrt";
    default: return "reprise_reverse";
  }
}

// Whether it is no number below 0, as far as is seen.
bool is_natural(const Expr& e) {
  if (e.is_constant()) return e.value() >= 0;
  if (e.is_variable()) return e.name() != expr::kProcNull;
  const auto operands = e.operands();
  const auto is_operand = [&](std::size_t i) { return is_natural(operands[i]); };
  switch (e.op()) {
    case Op::subtract:
    case Op::negate: return false;
    case Op::bit_and:
    case Op::maximum: return is_operand(0) || is_operand(1);
    case Op::modulo: return operands[1].is_constant() ? operands[1].value() > 0 : is_operand(1);
    case Op::conditional: return is_operand(1) && is_operand(2);
    default: break;
  }
  if (e.op() >= Op::less && e.op() <= Op::logical_or) return true;
  return std::ranges::all_of(operands, is_natural);
}

class Translator {
 public:
  explicit Translator(const ExpressionNames& names) : names_(names) {}

  Expression run(const Expr& e) {
    if (e.is_constant()) return names_.constant(e.value());
    if (e.is_variable()) {
      if (e.name() == expr::kProcNull) return name("MPI_PROC_NULL");
      return names_.variable(e.name());
    }
    const auto operands = e.operands();
    const Op op = e.op();
    if (op == Op::subtract && operands[0].is_constant(0))
      return unary(Prefix::negate, run(operands[1]));
    if (op == Op::modulo) {
      if (auto out = around(operands[0], operands[1])) return out;
    }
    if (const auto infix = operator_of(op); infix && means_the_same(e))
      return binary(*infix, run(operands[0]), run(operands[1]));
    switch (op) {
      case Op::negate: return unary(Prefix::negate, run(operands[0]));
      case Op::logical_not: return unary(Prefix::logical_not, run(operands[0]));
      case Op::conditional:
        return conditional(run(operands[0]), run(operands[1]), run(operands[2]));
      default: break;
    }
    std::vector<Expression> arguments;
    for (const Expr& o : operands) arguments.push_back(run(o));
    return call(function_of(op), std::move(arguments));
  }

 private:
  static bool means_the_same(const Expr& e) {
    const auto operands = e.operands();
    switch (e.op()) {
      case Op::divide:
      case Op::modulo: return is_natural(operands[0]) && is_natural(operands[1]);
      case Op::shift_left:
      case Op::shift_right:
        return is_natural(operands[0]) && operands[1].is_constant() && is_natural(operands[1]);
      default: return true;
    }
  }

  // (a - c) % m as (a + m - c) % m.
  Expression around(const Expr& a, const Expr& m) {
    if (a.op() != Op::subtract || !is_natural(a.operands()[0])) return nullptr;
    const Expr& c = a.operands()[1];
    if (!c.is_constant() || c.value() <= 0) return nullptr;
    Expression sum;
    if (m.is_constant() && m.value() >= c.value()) {
      sum = binary(Operator::add, run(a.operands()[0]), number(m.value() - c.value()));
    } else if (m.is_variable() && m.name() == expr::kRanks && c.value() == 1) {
      sum = binary(Operator::subtract, binary(Operator::add, run(a.operands()[0]), run(m)), run(c));
    } else {
      return nullptr;
    }
    return binary(Operator::modulo, std::move(sum), run(m));
  }

  const ExpressionNames& names_;
};

}  // namespace

Expression c_of(const Expr& e, const ExpressionNames& names) { return Translator(names).run(e); }

}  // namespace reprise::write::c
