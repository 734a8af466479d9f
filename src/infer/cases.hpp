// Values that follow one law on some ranks and another on the rest: a master and its workers, the
// end of a chain that sends to itself.
#pragma once

#include <optional>

#include "expr/expr.hpp"
#include "infer/samples.hpp"

namespace reprise::infer {

// `condition ? one : other` with small laws, of which each has up to five nodes; of those that
// explain every row the one with the fewest nodes, and the first of these. Where both laws hold,
// the condition may go either way. Cost: some 100 ms at most.
std::optional<expr::Expr> infer_cases(const Table& table);

}  // namespace reprise::infer
