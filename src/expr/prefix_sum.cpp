#include "expr/prefix_sum.hpp"

#include <array>
#include <optional>

#include "expr/simplify.hpp"

namespace reprise::expr {
namespace {

class Summation {
 public:
  Summation(const Expr& index, const Expr& count) : index_(index), count_(count) {}

  Expr of(const Expr& term) const {
    if (is_free(term)) return term * count_;
    if (term == index_) return count_ * (count_ - Expr(1)) / Expr(2);
    const auto parts = term.operands();
    switch (term.op()) {
      case Op::add: return of(parts[0]) + of(parts[1]);
      case Op::subtract:
        if (auto ends = telescoped(parts[0], parts[1])) return *ends;
        return of(parts[0]) - of(parts[1]);
      case Op::negate: return Expr::make(Op::negate, of(parts[0]));
      case Op::multiply:
        if (is_free(parts[0])) return parts[0] * of(parts[1]);
        if (is_free(parts[1])) return of(parts[0]) * parts[1];
        break;
      case Op::conditional:
        if (is_free(parts[0])) return Expr::conditional(parts[0], of(parts[1]), of(parts[2]));
        break;
      case Op::less:
        if (parts[0] == index_ && is_free(parts[1])) return below(parts[1]);
        break;
      case Op::less_equal:
        if (parts[0] == index_ && is_free(parts[1])) return below(parts[1] + Expr(1));
        break;
      case Op::greater:
        if (parts[1] == index_ && is_free(parts[0])) return below(parts[0]);
        break;
      case Op::minimum:
        if (auto ends = blocks(parts[0], parts[1])) return *ends;
        if (auto ends = blocks(parts[1], parts[0])) return *ends;
        break;
      default: break;
    }
    return Expr::sum(index_, count_, term);
  }

 private:
  bool is_free(const Expr& e) const { return !free_variables(e).contains(index_.name()); }

  Expr at(const Expr& e, const Expr& index) const {
    const std::array<Binding, 1> binding = {Binding{index_.name(), index}};
    return simplify(substitute(e, binding));
  }

  // How many of the indices are lower.
  Expr below(const Expr& bound) const {
    return Expr::make(Op::minimum, count_, Expr::make(Op::maximum, bound, Expr(0)));
  }

  // f(index + 1) - f(index).
  std::optional<Expr> telescoped(const Expr& next, const Expr& here) const {
    if (!(at(here, index_ + Expr(1)) == simplify(next))) return std::nullopt;
    return at(here, count_) - at(here, Expr(0));
  }

  // min(block, max(all - index * block, 0)): blocks of one size while there is something left.
  std::optional<Expr> blocks(const Expr& block, const Expr& left) const {
    if (!is_free(block) || left.op() != Op::maximum || !left.operands()[1].is_constant(0)) {
      return std::nullopt;
    }
    const Expr& rest = left.operands()[0];
    if (rest.op() != Op::subtract || !is_free(rest.operands()[0])) return std::nullopt;
    const Expr& before = rest.operands()[1];
    if (!(before == index_ * block) && !(before == block * index_)) return std::nullopt;
    const Expr& all = rest.operands()[0];
    const bool is_positive = all.is_constant() && all.value() >= 0;
    return Expr::make(Op::minimum, count_ * block,
                      is_positive ? all : Expr::make(Op::maximum, all, Expr(0)));
  }

  const Expr& index_;
  const Expr& count_;
};

}  // namespace

Expr prefix_sum(const Expr& index, const Expr& count, const Expr& term) {
  return simplify(Summation(index, count).of(simplify(term)));
}

}  // namespace reprise::expr
