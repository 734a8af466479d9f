// Description lengths [bits], which decide between expressions and tables (minimum description
// length, Rissanen 1978). They reflect readability rather than a codec: operators that are rare in
// programs cost more.
#pragma once

#include <cstdint>

#include "expr/expr.hpp"
#include "trace/series/series.hpp"

namespace reprise::program {

using Bits = std::uint64_t;

// More than anything costs.
inline constexpr Bits kNever = Bits{1} << 40;
// What a table costs beside its entries.
inline constexpr Bits kTableBits = 16;

Bits bits_of(std::int64_t number);
Bits bits_of(const expr::Expr& e);
// The terms of a series, at most so many of its values. Cost: its terms.
Bits bits_of(const trace::Series& series);

}  // namespace reprise::program
