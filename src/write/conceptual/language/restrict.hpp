// Expressions where only some ranks come by.
#pragma once

#include <span>

#include "expr/expr.hpp"

namespace reprise::write::conceptual {

// The expression without choices by conditions on the rank that hold on all of these ranks or on
// none of them. Cost: nodes x ranks; of more than a few million it stays as it is.
expr::Expr restricted(const expr::Expr& e, std::span<const std::uint64_t> ranks,
                      std::uint64_t of_all);

}  // namespace reprise::write::conceptual
