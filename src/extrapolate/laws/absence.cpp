#include "extrapolate/laws/absence.hpp"

#include <algorithm>

#include "expr/leaf.hpp"
#include "extrapolate/laws/joined_law.hpp"

namespace reprise::extrapolate {
namespace {

using expr::Expr;
using expr::Op;

// The one number that a law is; nothing where it is of several, or of a communicator.
std::optional<NumberLaw> number_of(const Law& law) {
  if (law.local || law.depth || law.encoding != trace::Encoding::absolute) return std::nullopt;
  if (law.form == Law::Form::indexed) return law.number;
  const bool is_one = law.form == Law::Form::terms && law.terms.size() == 1 &&
                      law.terms.front().body.empty() &&
                      law.terms.front().step.expression.is_constant(0);
  return is_one ? std::optional(law.terms.front().value) : std::nullopt;
}

}  // namespace

NumberLaw absence(const SlotShape& shape, const TripsLaws& trips) {
  JoinedLaw joined;
  Expr absent = 0;
  for (std::size_t i = 0; i < shape.chain.size(); ++i) {
    const Law* law = trips(shape.chain[i]);
    const auto number = law == nullptr ? std::nullopt : number_of(*law);
    if (!number || number->expression.is_constant() || !joined.take(*number)) continue;
    const auto loop = std::ranges::find(shape.loops, i);
    const Expr index = loop == shape.loops.end()
                           ? Expr(0)
                           : Expr::variable(expr::index_name(
                                 static_cast<std::size_t>(loop - shape.loops.begin())));
    const Expr here = Expr::make(Op::less_equal, number->expression, index);
    absent = absent.is_constant(0) ? here : Expr::make(Op::logical_or, absent, here);
  }
  return joined.finish(absent);
}

}  // namespace reprise::extrapolate
