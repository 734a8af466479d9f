// Numbers that follow one line over some iterations of a loop, and another over the others.
#pragma once

#include <optional>
#include <span>

#include "program/nest.hpp"

namespace reprise::program {

// The cheapest of such laws, "i0 == 0 ? 3000 * i1 + 3000 : 1000 * i1 + 5000". None: there is none,
// or the numbers are too few to tell it from chance. `scope`: loops that are outside the indices.
// REQUIRES: as many values as executions; magnitudes below 2^40. Cost: executions x loops x
// iterations of a loop.
std::optional<expr::Expr> law_in_pieces(std::span<const std::int64_t> values,
                                        const Indices& indices, std::size_t scope);

}  // namespace reprise::program
