#include "extrapolate/laws/absence.hpp"

#include <algorithm>

#include "expr/leaf.hpp"
#include "extrapolate/laws/joined_law.hpp"

namespace reprise::extrapolate {
namespace {

using expr::Expr;
using expr::Op;

}  // namespace

NumberLaw absence(const SlotShape& shape, const TripsLaws& trips) {
  JoinedLaw joined;
  Expr absent = 0;
  for (std::size_t i = 0; i < shape.chain.size(); ++i) {
    const Law* law = trips(shape.chain[i]);
    const auto number = law == nullptr ? std::nullopt : single_number(*law);
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
