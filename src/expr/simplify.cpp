#include "expr/simplify.hpp"

#include <array>
#include <limits>
#include <optional>

namespace reprise::expr {
namespace {

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

bool is_truth(const Expr& e) {
  if (e.is_constant()) return e.value() == 0 || e.value() == 1;
  return (e.op() >= Op::less && e.op() <= Op::logical_or) || e.op() == Op::logical_not;
}

// "e + offset" where e is a sum or difference with a constant; otherwise e itself and 0.
std::pair<Expr, std::int64_t> split_offset(const Expr& e) {
  if ((e.op() == Op::add || e.op() == Op::subtract) && e.operands()[1].is_constant()) {
    const std::int64_t c = e.operands()[1].value();
    if (e.op() == Op::add) return {e.operands()[0], c};
    if (c != kLeast) return {e.operands()[0], -c};
  }
  return {e, 0};
}

Expr with_offset(const Expr& e, std::int64_t offset) {
  if (offset == 0) return e;
  return offset < 0 && offset != kLeast ? e - Expr(-offset) : e + Expr(offset);
}

std::optional<Expr> simplify_sum(Op op, const Expr& a, const Expr& b) {
  if (op == Op::add && a.is_constant() && !b.is_constant()) {
    const auto sum = simplify_sum(op, b, a);
    return sum ? *sum : b + a;
  }
  if (op == Op::subtract && a == b) return Expr(0);
  if (b.op() == Op::negate) {
    return Expr::make(op == Op::add ? Op::subtract : Op::add, a, b.operands()[0]);
  }
  if (op == Op::add && b.op() == Op::multiply && b.operands()[0].is_constant()) {
    const std::int64_t factor = b.operands()[0].value();
    if (factor == -1) return a - b.operands()[1];
    if (factor < 0 && factor != kLeast) return a - Expr(-factor) * b.operands()[1];
  }
  if (!b.is_constant()) return std::nullopt;
  std::int64_t offset = 0;
  const auto [rest, before] = split_offset(a);
  const bool overflows = op == Op::add ? __builtin_add_overflow(before, b.value(), &offset)
                                       : __builtin_sub_overflow(before, b.value(), &offset);
  if (overflows) return std::nullopt;
  return with_offset(rest, offset);
}

std::optional<Expr> simplify_product(const Expr& a, const Expr& b) {
  if (a.is_constant(0) || b.is_constant(0)) return Expr(0);
  if (a.is_constant(1)) return b;
  if (b.is_constant(1)) return a;
  if (b.is_constant() && a.op() == Op::multiply && a.operands()[1].is_constant()) {
    std::int64_t c = 0;
    if (!__builtin_mul_overflow(b.value(), a.operands()[1].value(), &c)) {
      return a.operands()[0] * Expr(c);
    }
  }
  return std::nullopt;
}

std::optional<Expr> simplify_quotient(Op op, const Expr& a, const Expr& b) {
  if (a.is_constant(0)) return Expr(0);
  if (b.is_constant(1)) return op == Op::divide ? a : Expr(0);
  if (a == b && !a.is_constant()) return op == Op::divide ? Expr(1) : Expr(0);
  return std::nullopt;
}

std::optional<Expr> simplify_bits(Op op, const Expr& a, const Expr& b) {
  const bool shift = op == Op::shift_left || op == Op::shift_right;
  if (a.is_constant(0)) return op == Op::bit_and || shift ? Expr(0) : b;
  if (b.is_constant(0)) return op == Op::bit_and ? Expr(0) : a;
  if (a == b && !shift) return op == Op::bit_xor ? Expr(0) : a;
  return std::nullopt;
}

std::optional<Expr> simplify_comparison(Op op, const Expr& a, const Expr& b) {
  if (a != b) return std::nullopt;
  return Expr(op == Op::less_equal || op == Op::greater_equal || op == Op::equal ? 1 : 0);
}

std::optional<Expr> simplify_logic(Op op, const Expr& a, const Expr& b) {
  // `decisive` is the operand that settles the result.
  const bool decisive = op == Op::logical_or;
  if (a.is_constant()) {
    if ((a.value() != 0) == decisive) return Expr(decisive ? 1 : 0);
    if (is_truth(b)) return b;
  }
  if (b.is_constant()) {
    if ((b.value() != 0) == decisive) return Expr(decisive ? 1 : 0);
    if (is_truth(a)) return a;
  }
  if (a == b && is_truth(a)) return a;
  // a && (b && c) is a && b && c.
  if (b.op() == op) {
    const Expr first =
        simplify_logic(op, a, b.operands()[0]).value_or(Expr::make(op, a, b.operands()[0]));
    return Expr::make(op, first, b.operands()[1]);
  }
  return std::nullopt;
}

std::optional<Expr> simplify_unary(Op op, const Expr& a) {
  const Op inner = a.op();
  if (op == Op::negate && inner == Op::negate) return a.operands()[0];
  if (op != Op::logical_not) return std::nullopt;
  if (inner == Op::logical_not && is_truth(a.operands()[0])) return a.operands()[0];
  constexpr std::pair<Op, Op> kOpposites[] = {
      {Op::less, Op::greater_equal}, {Op::greater, Op::less_equal}, {Op::equal, Op::not_equal}};
  for (const auto& [one, other] : kOpposites) {
    if (inner == one) return Expr::make(other, a.operands());
    if (inner == other) return Expr::make(one, a.operands());
  }
  return std::nullopt;
}

// The two terms of a sum; anything else and 0.
std::array<Expr, 2> terms_of(const Expr& e) {
  if (e.op() != Op::add) return {e, Expr(0)};
  return {e.operands()[0], e.operands()[1]};
}

struct CommonTerm {
  Expr term;
  Expr rest_of_yes, rest_of_no;
};

// The term that both have, where all else that they have are numbers.
std::optional<CommonTerm> common_term(const Expr& yes, const Expr& no) {
  const auto terms = terms_of(yes), others = terms_of(no);
  for (const std::size_t i : {0, 1}) {
    for (const std::size_t k : {0, 1}) {
      const Expr &common = terms[i], &one = terms[1 - i], &other = others[1 - k];
      if (!(common == others[k]) || common.is_constant()) continue;
      if (!one.is_constant() || !other.is_constant()) continue;
      return CommonTerm{common, one, other};
    }
  }
  return std::nullopt;
}

std::optional<Expr> simplify_conditional(const Expr& condition, const Expr& yes, const Expr& no) {
  if (condition.is_constant()) return condition.value() != 0 ? yes : no;
  if (yes == no) return yes;
  if (is_truth(condition) && yes.is_constant(1) && no.is_constant(0)) return condition;
  if (is_truth(condition) && yes.is_constant(0) && no.is_constant(1)) {
    return simplify_unary(Op::logical_not, condition)
        .value_or(Expr::make(Op::logical_not, condition));
  }
  // c ? a + x : b + x is x + (c ? a : b).
  const auto common = common_term(yes, no);
  if (!common) return std::nullopt;
  return common->term + Expr::conditional(condition, common->rest_of_yes, common->rest_of_no);
}

std::optional<Expr> simplify_binary(Op op, const Expr& a, const Expr& b) {
  switch (op) {
    case Op::add:
    case Op::subtract: return simplify_sum(op, a, b);
    case Op::multiply: return simplify_product(a, b);
    case Op::divide:
    case Op::modulo: return simplify_quotient(op, a, b);
    case Op::minimum:
    case Op::maximum: return a == b ? std::optional(a) : std::nullopt;
    case Op::logical_and:
    case Op::logical_or: return simplify_logic(op, a, b);
    case Op::reverse: return std::nullopt;
    default:
      return op >= Op::less && op <= Op::not_equal ? simplify_comparison(op, a, b)
                                                   : simplify_bits(op, a, b);
  }
}

std::optional<Expr> fold(Op op, std::span<const Expr> operands) {
  if (op == Op::conditional || op == Op::sum) return std::nullopt;
  for (const Expr& e : operands) {
    if (!e.is_constant()) return std::nullopt;
  }
  std::int64_t result = 0;
  const std::int64_t b = operands.size() > 1 ? operands[1].value() : 0;
  if (apply(op, operands[0].value(), b, result) != Fault::none) return std::nullopt;
  return Expr(result);
}

}  // namespace

Expr simplify(const Expr& e) {
  if (e.operands().empty()) return e;
  std::vector<Expr> parts;
  for (const Expr& operand : e.operands()) parts.push_back(simplify(operand));
  if (const auto folded = fold(e.op(), parts)) return *folded;
  std::optional<Expr> shorter;
  switch (parts.size()) {
    case 1: shorter = simplify_unary(e.op(), parts[0]); break;
    case 2: shorter = simplify_binary(e.op(), parts[0], parts[1]); break;
    default:
      if (e.op() == Op::conditional) shorter = simplify_conditional(parts[0], parts[1], parts[2]);
      break;
  }
  return shorter ? *shorter : Expr::make(e.op(), parts);
}

}  // namespace reprise::expr
