#include "write/conceptual/language/expressions.hpp"

#include <algorithm>
#include <optional>

#include "base/contract.hpp"
#include "expr/conditions.hpp"
#include "trace/values/special.hpp"
#include "write/unwritable.hpp"

namespace reprise::write::conceptual {
namespace {

using expr::Expr;
using expr::Op;
using Kind = ast::Relation::Kind;

std::optional<ast::Op> operator_of(Op op) {
  switch (op) {
    case Op::add: return ast::Op::add;
    case Op::subtract: return ast::Op::subtract;
    case Op::multiply: return ast::Op::multiply;
    case Op::divide: return ast::Op::divide;
    case Op::modulo: return ast::Op::modulo;
    case Op::shift_left: return ast::Op::shift_left;
    case Op::shift_right: return ast::Op::shift_right;
    case Op::bit_and: return ast::Op::bit_and;
    case Op::bit_or: return ast::Op::bit_or;
    case Op::bit_xor: return ast::Op::bit_xor;
    default: return std::nullopt;
  }
}

std::optional<Kind> comparison_of(Op op, bool holds) {
  switch (op) {
    case Op::less: return holds ? Kind::less : Kind::at_least;
    case Op::less_equal: return holds ? Kind::at_most : Kind::greater;
    case Op::greater: return holds ? Kind::greater : Kind::at_most;
    case Op::greater_equal: return holds ? Kind::at_least : Kind::less;
    case Op::equal: return holds ? Kind::equal : Kind::unequal;
    case Op::not_equal: return holds ? Kind::unequal : Kind::equal;
    default: return std::nullopt;
  }
}

// Whether all that it may be is 0 or 1, as far as that is seen.
bool is_truth(const Expr& e) {
  if (e.op() == Op::conditional) return is_truth(e.operands()[1]) && is_truth(e.operands()[2]);
  return is_condition(e.op()) || e.is_constant(0) || e.is_constant(1);
}

class Translator {
 public:
  explicit Translator(const VariableLeast& least) : least_(least) {}

  ast::Expr number(const Expr& e) const {
    if (is_condition(e.op()))
      return conditional(conceptual::number(1), condition(e, true), conceptual::number(0));
    const auto o = e.operands();
    switch (e.op()) {
      case Op::constant: return constant(e.value());
      case Op::variable: return variable(e.name() == expr::kRanks ? "num_tasks" : e.name());
      case Op::negate: return binary(ast::Op::subtract, conceptual::number(0), number(o[0]));
      case Op::conditional: return choice(o);
      case Op::minimum: return function("MIN", o);
      case Op::maximum: return function("MAX", o);
      case Op::sqrt: return function("SQRT", o);
      case Op::cbrt: return function("CBRT", o);
      case Op::log2: return binary(ast::Op::subtract, function("BITS", o), conceptual::number(1));
      case Op::ctz: return trailing_zeros(number(o[0]));
      case Op::sum: throw Unwritable{"a value is a sum over cells, which the language cannot say"};
      case Op::reverse: throw Unwritable{"bits are reversed, which the language cannot say"};
      case Op::divide:
        if (!is_natural(o[1])) throw Unwritable{"it divides by what may be negative"};
        if (!is_natural(o[0])) return divided(number(o[0]), number(o[1]));
        break;
      case Op::modulo:
        if (!is_natural(o[1])) throw Unwritable{"it divides by what may be negative"};
        break;
      default: break;
    }
    const auto op = operator_of(e.op());
    REPRISE_REQUIRE(op && o.size() == 2);
    return binary(*op, number(o[0]), number(o[1]));
  }

  // `holds`: or the opposite.
  ast::Relation condition(const Expr& e, bool holds) const {
    const auto o = e.operands();
    if (e.op() == Op::logical_not) return condition(o[0], !holds);
    if (e.op() == Op::logical_and || e.op() == Op::logical_or) {
      const bool is_and = (e.op() == Op::logical_and) == holds;
      if (const auto listed = one_of(e, is_and, holds)) return *listed;
      std::vector<ast::Relation> parts;
      parts.push_back(condition(o[0], holds));
      parts.push_back(condition(o[1], holds));
      return joined(is_and ? Kind::both : Kind::either, std::move(parts));
    }
    if (const auto kind = comparison_of(e.op(), holds))
      return relation(*kind, number(o[0]), number(o[1]));
    if (e.op() == Op::conditional && is_truth(o[1]) && is_truth(o[2])) return chosen(o, holds);
    return relation(holds ? Kind::unequal : Kind::equal, number(e), conceptual::number(0));
  }

 private:
  static ast::Expr constant(std::int64_t v) {
    if (v == trace::kProcNull) return conceptual::number(-1);  // a task that there is not
    if (trace::is_special(v)) throw Unwritable{"a value is none on some ranks"};
    return conceptual::number(v);
  }

  ast::Expr function(std::string_view name, std::span<const Expr> operands) const {
    std::vector<ast::Expr> all;
    for (const Expr& o : operands) all.push_back(number(o));
    return call(name, std::move(all));
  }

  static ast::Expr trailing_zeros(const ast::Expr& x) {
    ast::Expr lowest =
        binary(ast::Op::bit_and, x, binary(ast::Op::subtract, conceptual::number(0), x));
    std::vector<ast::Expr> operands;
    operands.push_back(std::move(lowest));
    return binary(ast::Op::subtract, call("BITS", std::move(operands)), conceptual::number(1));
  }

  // The language rounds towards zero, expressions downwards. REQUIRES: b is natural.
  static ast::Expr divided(const ast::Expr& x, const ast::Expr& y) {
    const auto below = [](ast::Expr a) {
      return binary(ast::Op::subtract, conceptual::number(-1), std::move(a));
    };
    return conditional(binary(ast::Op::divide, x, y),
                       relation(Kind::at_least, x, conceptual::number(0)),
                       below(binary(ast::Op::divide, below(x), y)));
  }

  // Behind `a < 3` it is known that a is 3 at least.
  ast::Expr choice(std::span<const Expr> o) const {
    const bool is_bound = o[0].op() == Op::less && o[0].operands()[1].is_constant();
    ast::Expr yes = number(o[1]);
    if (is_bound) bounds_.push_back({o[0].operands()[0], o[0].operands()[1].value()});
    ast::Expr no = number(o[2]);
    if (is_bound) bounds_.pop_back();
    return conditional(std::move(yes), condition(o[0], true), std::move(no));
  }

  // (a IF c OTHERWISE b) of conditions: (c /\ a) \/ (not c /\ b), shorter where one is known.
  ast::Relation chosen(std::span<const Expr> o, bool holds) const {
    const auto known = [&](const Expr& e) {
      return e.is_constant() ? std::optional((e.value() != 0) == holds) : std::nullopt;
    };
    const auto a = known(o[1]), b = known(o[2]);
    if (a && b && *a != *b) return condition(o[0], *a);
    std::vector<ast::Relation> parts;
    if (a || b) {
      const bool is_either = a ? *a : *b;
      parts.push_back(condition(o[0], a ? *a : !*b));
      parts.push_back(condition(o[a ? 2 : 1], holds));
      return joined(is_either ? Kind::either : Kind::both, std::move(parts));
    }
    for (const bool is_first : {true, false}) {
      std::vector<ast::Relation> both;
      both.push_back(condition(o[0], is_first));
      both.push_back(condition(o[is_first ? 1 : 2], holds));
      parts.push_back(joined(Kind::both, std::move(both)));
    }
    return joined(Kind::either, std::move(parts));
  }

  // a = 1 \/ a = 3 as a IS IN {1, 3}, and what is none of them; two are as clear as they are.
  std::optional<ast::Relation> one_of(const Expr& e, bool is_and, bool holds) const {
    std::vector<std::int64_t> numbers;
    std::optional<Expr> subject;
    const Op comparison = is_and == holds ? Op::not_equal : Op::equal;
    if (!collect(e, e.op(), comparison, subject, numbers) || numbers.size() < 3)
      return std::nullopt;
    std::ranges::sort(numbers);
    ast::Relation out;
    out.kind = is_and ? Kind::not_in : Kind::in;
    out.operands.push_back(number(*subject));
    out.ranges = ranges_of(numbers);
    return out;
  }

  static bool collect(const Expr& e, Op join, Op comparison, std::optional<Expr>& subject,
                      std::vector<std::int64_t>& numbers) {
    const auto o = e.operands();
    if (e.op() == join) {
      return collect(o[0], join, comparison, subject, numbers) &&
             collect(o[1], join, comparison, subject, numbers);
    }
    if (e.op() != comparison || !o[1].is_constant() || o[1].value() < 0) return false;
    if (subject && !(*subject == o[0])) return false;
    subject = o[0];
    numbers.push_back(o[1].value());
    return true;
  }

  // What it is at least wherever it has a value, as far as that is seen.
  std::optional<std::int64_t> least(const Expr& e) const {
    std::optional<std::int64_t> out = least_of_kind(e);
    for (const Bound& b : bounds_) {
      if (b.least > out.value_or(b.least - 1) && b.of == e) out = b.least;
    }
    return out;
  }

  std::optional<std::int64_t> least_of_kind(const Expr& e) const {
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

  struct Bound {
    Expr of;
    std::int64_t least;
  };

  const VariableLeast& least_;
  mutable std::vector<Bound> bounds_;  // of the conditions around
};

}  // namespace

ast::Expr number_of(const expr::Expr& e, const VariableLeast& least) {
  return Translator(least).number(e);
}

Expr both(const Expr& a, const Expr& b) {
  if (a.is_constant(1)) return b;
  if (b.is_constant(1) || a == b) return a;
  return Expr::make(Op::logical_and, a, b);
}

ast::Relation condition_of(const expr::Expr& e, const VariableLeast& least) {
  return Translator(least).condition(e, true);
}

}  // namespace reprise::write::conceptual
