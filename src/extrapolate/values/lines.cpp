#include "extrapolate/values/lines.hpp"

#include <algorithm>
#include <functional>

namespace reprise::extrapolate {
namespace {

using expr::Expr;
using expr::Op;
using Outcome = LineEvaluator::Outcome;
using OutcomeKind = Outcome::Kind;

Outcome line(std::int64_t first, std::int64_t step = 0) {
  return {OutcomeKind::line, {first, step}, 0};
}
Outcome split(std::uint64_t ranks) { return {OutcomeKind::split, {}, ranks}; }
Outcome pointwise() { return {OutcomeKind::pointwise, {}, 0}; }

// The last value, if that fits.
bool last_of(const Line& l, std::uint64_t ranks, std::int64_t& last) {
  std::int64_t rise = 0;
  return !__builtin_mul_overflow(l.step, static_cast<std::int64_t>(ranks - 1), &rise) &&
         !__builtin_add_overflow(l.first, rise, &last);
}

// Where a condition that changes at most once along the ranks does so; all of them if nowhere.
std::uint64_t first_change(std::uint64_t ranks, const std::function<bool(std::uint64_t)>& holds) {
  const bool at_first = holds(0);
  std::uint64_t same = 0, other = ranks;
  while (other - same > 1) {
    const std::uint64_t middle = same + (other - same) / 2;
    (holds(middle) == at_first ? same : other) = middle;
  }
  return other;
}

std::int64_t at(const Line& l, std::uint64_t rank) {
  return l.first + l.step * static_cast<std::int64_t>(rank);
}

Outcome sum(Op op, const Line& a, const Line& b, std::uint64_t ranks) {
  Line out;
  std::int64_t last = 0;
  const bool overflows = op == Op::add ? __builtin_add_overflow(a.first, b.first, &out.first) ||
                                             __builtin_add_overflow(a.step, b.step, &out.step)
                                       : __builtin_sub_overflow(a.first, b.first, &out.first) ||
                                             __builtin_sub_overflow(a.step, b.step, &out.step);
  if (overflows || !last_of(out, ranks, last)) return pointwise();
  return line(out.first, out.step);
}

Outcome product(const Line& a, const Line& b, std::uint64_t ranks) {
  if (a.step != 0 && b.step != 0) return pointwise();
  Line out;
  std::int64_t last = 0;
  const bool overflows = __builtin_mul_overflow(a.first, b.first, &out.first) ||
                         __builtin_mul_overflow(a.step != 0 ? a.step : b.step,
                                                a.step != 0 ? b.first : a.first, &out.step);
  if (overflows || !last_of(out, ranks, last)) return pointwise();
  return line(out.first, out.step);
}

// a / d or a % d for a positive number d.
Outcome quotient(Op op, const Line& a, std::int64_t d, std::uint64_t ranks) {
  const auto floor = [d](std::int64_t v) { return v / d - (v % d < 0 ? 1 : 0); };
  const std::int64_t q = floor(a.first);
  const std::int64_t rest = a.first % d + (a.first % d < 0 ? d : 0);
  if (a.step % d == 0) return op == Op::divide ? line(q, a.step / d) : line(rest);
  const std::uint64_t same =
      first_change(ranks, [&](std::uint64_t i) { return floor(at(a, i)) == q; });
  if (same < ranks) return split(same);
  return op == Op::divide ? line(q) : line(rest, a.step);
}

bool holds(Op op, std::int64_t a, std::int64_t b) {
  switch (op) {
    case Op::less: return a < b;
    case Op::less_equal: return a <= b;
    case Op::greater: return a > b;
    case Op::greater_equal: return a >= b;
    case Op::equal: return a == b;
    default: return a != b;
  }
}

// Lines that meet at one rank differ on either side of it.
Outcome equality(Op op, const Line& a, const Line& b, std::uint64_t ranks) {
  const bool first = at(a, 0) == at(b, 0);
  if (a.step == b.step) return line(first == (op == Op::equal) ? 1 : 0);
  if (first) return ranks == 1 ? line(op == Op::equal ? 1 : 0) : split(1);
  const bool below = at(a, 0) < at(b, 0);
  const std::uint64_t same = first_change(
      ranks, [&](std::uint64_t i) { return below ? at(a, i) < at(b, i) : at(a, i) > at(b, i); });
  return same < ranks ? split(same) : line(op == Op::equal ? 0 : 1);
}

Outcome combine(Op op, const Line& a, const Line& b, std::uint64_t ranks) {
  if (a.step == 0 && b.step == 0) {
    std::int64_t v = 0;
    return expr::apply(op, a.first, b.first, v) == expr::Fault::none ? line(v) : Outcome{};
  }
  switch (op) {
    case Op::add:
    case Op::subtract: return sum(op, a, b, ranks);
    case Op::multiply: return product(a, b, ranks);
    case Op::divide:
    case Op::modulo:
      return b.step == 0 && b.first > 0 ? quotient(op, a, b.first, ranks) : pointwise();
    case Op::equal:
    case Op::not_equal: return equality(op, a, b, ranks);
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal: {
      const std::uint64_t same = first_change(ranks, [&](std::uint64_t i) {
        return holds(op, at(a, i), at(b, i)) == holds(op, a.first, b.first);
      });
      return same < ranks ? split(same) : line(holds(op, a.first, b.first) ? 1 : 0);
    }
    case Op::minimum:
    case Op::maximum: {
      const bool first = a.first == b.first ? (a.step < b.step) : a.first < b.first;
      const std::uint64_t same = first_change(ranks, [&](std::uint64_t i) {
        return first ? at(a, i) <= at(b, i) : at(a, i) >= at(b, i);
      });
      if (same < ranks) return split(same);
      const Line& chosen = first == (op == Op::minimum) ? a : b;
      return line(chosen.first, chosen.step);
    }
    default: return pointwise();
  }
}

Outcome apply_unary(Op op, const Line& a, std::uint64_t ranks) {
  if (a.step != 0) return op == Op::negate ? sum(Op::subtract, {}, a, ranks) : pointwise();
  std::int64_t v = 0;
  return expr::apply(op, a.first, 0, v) == expr::Fault::none ? line(v) : Outcome{};
}

// Whether a line is true: 0 or 1 on all ranks.
Outcome truth(const Outcome& of, std::uint64_t ranks) {
  return of.kind == OutcomeKind::line ? equality(Op::not_equal, of.line, {}, ranks) : of;
}

bool is_known(const Outcome& o) { return o.kind == OutcomeKind::line; }

}  // namespace

Result<std::uint32_t> LineEvaluator::add(const Expr& e, std::span<const std::string> names) {
  Node node{.op = e.op()};
  if (e.op() == Op::sum) {
    auto program = expr::Program::compile(e, names);
    if (!program) return program.error();
    node.program = std::move(*program);
    nodes_.push_back(std::move(node));
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  }
  if (e.is_constant()) node.value = e.value();
  if (e.is_variable()) {
    const auto found = std::ranges::find(names, e.name());
    if (found == names.end()) return Error{"the variable '" + e.name() + "' is not known here"};
    node.value = found - names.begin();
  }
  for (std::size_t i = 0; i < e.operands().size(); ++i) {
    auto operand = add(e.operands()[i], names);
    if (!operand) return operand;
    node.operands[i] = *operand;
  }
  nodes_.push_back(node);
  return static_cast<std::uint32_t>(nodes_.size() - 1);
}

Result<LineEvaluator> LineEvaluator::make(const Expr& law, std::span<const std::string> names) {
  LineEvaluator out;
  if (const auto root = out.add(law, names); !root) return root.error();
  return out;
}

Outcome LineEvaluator::at(std::span<const Line> variables, std::uint64_t ranks) const {
  return evaluate(static_cast<std::uint32_t>(nodes_.size() - 1), variables, ranks);
}

Outcome LineEvaluator::evaluate(std::uint32_t node, std::span<const Line> variables,
                                std::uint64_t ranks) const {
  const Node& n = nodes_[node];
  const auto operand = [&](std::size_t i) { return evaluate(n.operands[i], variables, ranks); };
  switch (n.op) {
    case Op::constant: return line(n.value);
    case Op::variable: {
      const Line& l = variables[static_cast<std::size_t>(n.value)];
      return line(l.first, ranks == 1 ? 0 : l.step);
    }
    case Op::sum: {
      if (std::ranges::any_of(variables, [&](const Line& l) { return ranks > 1 && l.step != 0; })) {
        return pointwise();
      }
      std::vector<std::int64_t> slots;
      for (const Line& l : variables) slots.push_back(l.first);
      const auto value = n.program->run(slots);
      return value ? line(*value) : Outcome{};
    }
    case Op::conditional: {
      const Outcome condition = truth(operand(0), ranks);
      if (!is_known(condition)) return condition;
      return operand(condition.line.first != 0 ? 1 : 2);
    }
    case Op::logical_and:
    case Op::logical_or: {
      const Outcome first = truth(operand(0), ranks);
      const bool decides = (first.line.first != 0) == (n.op == Op::logical_or);
      return !is_known(first) || decides ? first : truth(operand(1), ranks);
    }
    case Op::logical_not: {
      const Outcome of = truth(operand(0), ranks);
      return is_known(of) ? line(of.line.first == 0 ? 1 : 0) : of;
    }
    case Op::negate:
    case Op::log2:
    case Op::sqrt:
    case Op::cbrt:
    case Op::ctz: {
      const Outcome of = operand(0);
      return is_known(of) ? apply_unary(n.op, of.line, ranks) : of;
    }
    default: break;
  }
  const Outcome a = operand(0);
  if (!is_known(a)) return a;
  const Outcome b = operand(1);
  return is_known(b) ? combine(n.op, a.line, b.line, ranks) : b;
}

}  // namespace reprise::extrapolate
