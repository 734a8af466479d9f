#include "write/c/language/expressions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "trace/values/special.hpp"
#include "write/unwritable.hpp"

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

// Functions of runtime/arithmetic.h.
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

constexpr std::int64_t kLargestInt = std::numeric_limits<std::int32_t>::max();

// An expression in C, and what its numbers are at most, or at least below 0.
struct Sized {
  Expression text;
  std::int64_t most = 0;
  bool is_long = false;  // a long long
};

// No number is larger.
std::int64_t most_of(Op op, const Sized& a, const Sized& b) {
  std::int64_t out = 0;
  bool is_beyond = false;
  switch (op) {
    case Op::add:
    case Op::subtract: is_beyond = __builtin_add_overflow(a.most, b.most, &out); break;
    case Op::multiply: is_beyond = __builtin_mul_overflow(a.most, b.most, &out); break;
    case Op::shift_left:
      is_beyond = b.most >= 62 || __builtin_mul_overflow(a.most, std::int64_t{1} << b.most, &out);
      break;
    case Op::divide:
    case Op::shift_right: out = a.most; break;
    case Op::modulo: out = b.most; break;
    case Op::bit_and:
    case Op::bit_or:
    case Op::bit_xor: is_beyond = __builtin_add_overflow(a.most, b.most, &out); break;
    default: out = 1; break;  // comparisons
  }
  return is_beyond ? std::numeric_limits<std::int64_t>::max() : out;
}

bool is_comparison(Op op) { return op >= Op::less && op <= Op::logical_or; }

// In C; long where an operand is, or where the result may have to be.
Sized calculated(Operator in_c, Op op, Sized a, const Sized& b) {
  const std::int64_t most = most_of(op, a, b);
  const bool is_shift = op == Op::shift_left || op == Op::shift_right;
  bool is_long = !is_comparison(op) && (a.is_long || (b.is_long && !is_shift));
  const bool may_grow =
      op == Op::add || op == Op::subtract || op == Op::multiply || op == Op::shift_left;
  if (may_grow && most > kLargestInt && !is_long) {
    a.text = cast("long long", std::move(a.text));
    is_long = true;
  }
  return {binary(in_c, std::move(a.text), b.text), most, is_long};
}

class Translator {
 public:
  explicit Translator(const ExpressionNames& names) : names_(names) {}

  Sized run(const Expr& e) {
    if (e.is_constant()) return constant(e.value());
    if (e.is_variable()) return variable(e.name());
    const auto operands = e.operands();
    const Op op = e.op();
    if (op == Op::subtract && operands[0].is_constant(0)) return negated(operands[1]);
    if (op == Op::modulo) {
      if (const auto out = around(operands[0], operands[1])) return *out;
    }
    if (const auto infix = operator_of(op); infix && means_the_same(e))
      return calculated(*infix, op, run(operands[0]), run(operands[1]));
    switch (op) {
      case Op::sum: throw Unwritable{"it has a value that is a sum over cells"};
      case Op::negate: return negated(operands[0]);
      case Op::logical_not: return {unary(Prefix::logical_not, run(operands[0]).text), 1};
      case Op::conditional: {
        const Sized yes = run(operands[1]), no = run(operands[2]);
        return {conditional(run(operands[0]).text, yes.text, no.text), std::max(yes.most, no.most),
                yes.is_long || no.is_long};
      }
      default: break;
    }
    return called(op, operands);
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

  Sized constant(std::int64_t v) const {
    Expression text = names_.constant(v);
    constexpr std::int64_t kLargestWord = 0xffff;  // of the constants of MPI
    if (trace::is_special(v)) return {std::move(text), kLargestWord};
    return {std::move(text), v < 0 ? -v : v, v > kLargestInt || v < -kLargestInt};
  }

  Sized variable(const std::string& v) const {
    if (v == expr::kProcNull) return {name("MPI_PROC_NULL"), 1};
    const std::int64_t most = names_.most ? names_.most(v) : 0;
    return {names_.variable(v), most, most > kLargestInt};
  }

  Sized negated(const Expr& e) {
    Sized out = run(e);
    out.text = unary(Prefix::negate, std::move(out.text));
    return out;
  }

  // A function, whose parameters and result are long.
  Sized called(Op op, std::span<const Expr> operands) {
    std::vector<Expression> arguments;
    std::vector<Sized> all;
    for (const Expr& o : operands) arguments.push_back(all.emplace_back(run(o)).text);
    std::int64_t most = all.front().most;  // of what is reversed
    if (op == Op::sqrt) most = std::llround(std::ceil(std::sqrt(static_cast<double>(most))));
    if (op == Op::cbrt) most = std::llround(std::ceil(std::cbrt(static_cast<double>(most))));
    if (op == Op::log2 || op == Op::ctz) most = std::numeric_limits<std::int64_t>::digits;
    if (op == Op::modulo || op == Op::shift_left) most = most_of(op, all[0], all[1]);
    if (op == Op::minimum || op == Op::maximum) most = std::max(all[0].most, all[1].most);
    return {call(function_of(op), std::move(arguments)), most, true};
  }

  // A sum whose terms are no numbers below 0, but for what is taken away.
  struct Sum {
    std::vector<Expr> added, subtracted;
    std::int64_t constant = 0;
    bool is_known = true;  // its terms are as said

    void add(const Expr& e, bool is_added) {
      if (e.op() == Op::add || e.op() == Op::subtract) {
        add(e.operands()[0], is_added);
        add(e.operands()[1], is_added == (e.op() == Op::add));
      } else if (e.is_constant()) {
        is_known = is_known && e.value() >= -kLargestInt && e.value() <= kLargestInt;
        constant += !is_known ? 0 : is_added ? e.value() : -e.value();
      } else {
        is_known = is_known && is_natural(e);
        (is_added ? added : subtracted).push_back(e);
      }
    }
  };

  // (x - i) % m as (x - i + m) % m, where i is at most m: no number below 0 is divided.
  std::optional<Sized> around(const Expr& a, const Expr& m) {
    constexpr std::int64_t kMostRounds = 2;  // of m that are added
    if (a.op() != Op::subtract && a.op() != Op::add) return std::nullopt;
    if (m.is_variable() && m.name() == expr::kRanks) return around_ranks(a, m);
    if (!m.is_constant() || m.value() <= 0 || m.value() > kLargestInt) return std::nullopt;
    Sum sum;
    sum.add(a, true);
    if (!sum.is_known || (sum.subtracted.empty() && sum.constant >= 0)) return std::nullopt;
    std::int64_t least = sum.constant;
    std::vector<Sized> subtracted;
    for (const Expr& e : sum.subtracted) {
      subtracted.push_back(run(e));
      const std::int64_t most = subtracted.back().most;
      if (most <= 0 || most > kLargestInt) return std::nullopt;
      least -= most;
    }
    const std::int64_t rounds = least >= 0 ? 0 : (-least + m.value() - 1) / m.value();
    if (rounds > kMostRounds) return std::nullopt;
    const std::int64_t constant = sum.constant + rounds * m.value();
    std::optional<Sized> out;
    const auto put = [&](Operator in_c, Op op, Sized term) {
      out = out ? calculated(in_c, op, std::move(*out), term) : std::move(term);
    };
    for (const Expr& e : sum.added) put(Operator::add, Op::add, run(e));
    const bool is_first = !out;
    if (is_first) put(Operator::add, Op::add, this->constant(constant));
    for (const Sized& s : subtracted) put(Operator::subtract, Op::subtract, s);
    if (!is_first && constant > 0) put(Operator::add, Op::add, this->constant(constant));
    if (!is_first && constant < 0) put(Operator::subtract, Op::subtract, this->constant(-constant));
    return calculated(Operator::modulo, Op::modulo, std::move(*out), run(m));
  }

  // (a - 1) % ranks as (a + ranks - 1) % ranks.
  std::optional<Sized> around_ranks(const Expr& a, const Expr& ranks) {
    if (a.op() != Op::subtract || !is_natural(a.operands()[0])) return std::nullopt;
    const Expr& c = a.operands()[1];
    if (!c.is_constant(1)) return std::nullopt;
    Sized sum = calculated(Operator::add, Op::add, run(a.operands()[0]), run(ranks));
    sum = {binary(Operator::subtract, std::move(sum.text), run(c).text), sum.most, sum.is_long};
    return calculated(Operator::modulo, Op::modulo, std::move(sum), run(ranks));
  }

  const ExpressionNames& names_;
};

}  // namespace

Expression c_of(const Expr& e, const ExpressionNames& names) {
  return Translator(names).run(e).text;
}

std::int64_t most_of(const Expr& e, const ExpressionNames& names) {
  return Translator(names).run(e).most;
}

}  // namespace reprise::write::c
