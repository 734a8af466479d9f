#include "extrapolate/laws/absence.hpp"

#include <algorithm>

#include "expr/leaf.hpp"
#include "extrapolate/laws/joined_law.hpp"
#include "trace/calls/functions.hpp"

namespace reprise::extrapolate {
namespace {

using expr::Expr;
using expr::Op;

}  // namespace

Absence absence(const SlotShape& shape, const TripsLaws& trips) {
  JoinedLaw joined;
  bool is_all = true;
  Expr absent = 0;
  for (std::size_t i = 0; i < shape.chain.size(); ++i) {
    const Law* law = trips(shape.chain[i]);
    const auto number = law == nullptr ? std::nullopt : single_number(*law);
    if (number && number->expression.is_constant()) continue;
    if (!number || !joined.take(*number)) {
      is_all = false;
      continue;
    }
    const auto loop = std::ranges::find(shape.loops, i);
    const Expr index = loop == shape.loops.end()
                           ? Expr(0)
                           : Expr::variable(expr::index_name(
                                 static_cast<std::size_t>(loop - shape.loops.begin())));
    const Expr here = Expr::make(Op::less_equal, number->expression, index);
    absent = absent.is_constant(0) ? here : Expr::make(Op::logical_or, absent, here);
  }
  return {joined.finish(absent), is_all};
}

std::optional<NumberLaw> certain_absence(const Absence& absence, std::span<const Site> sites,
                                         const Slot& slot) {
  const bool is_element =
      !slot.is_trips() && slot.column >= trace::function(sites[slot.site].function).scalars.size();
  return absence.is_all && !is_element ? std::optional(absence.where) : std::nullopt;
}

}  // namespace reprise::extrapolate
