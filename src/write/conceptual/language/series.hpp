// Folded series and sets of ranks as expressions: the language has no tables, so that what they
// hold is chosen by where one is in them.
#pragma once

#include <cstdint>
#include <span>

#include "expr/expr.hpp"
#include "trace/series/series.hpp"

namespace reprise::write::conceptual {

// The value at `index`. `length`: how many values are asked for; 0: nobody knows. Nests as deep as
// the logarithm of the terms; its length follows the terms. Throws Unwritable where those are too
// many.
expr::Expr value_at(const trace::Series& series, const expr::Expr& index, std::uint64_t length);

// Whether the value at `index` is not 0. REQUIRES: 0 or 1.
expr::Expr condition_at(const trace::Series& series, const expr::Expr& index, std::uint64_t length);

// Whether the number is one of these. REQUIRES: ascending, at least one.
expr::Expr is_one_of(const expr::Expr& number, std::span<const std::uint64_t> of);

}  // namespace reprise::write::conceptual
