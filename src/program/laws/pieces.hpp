// Piecewise linear laws: one linear function of loop indices for some iterations of a loop, another
// for the rest.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "program/nodes/nest.hpp"

namespace reprise::program {

// The cheapest of such laws, "i0 == 0 ? i1 * 3000 + 3000 : i1 * 1000 + 5000". None: there is none,
// or the values are too few to exclude a coincidence. `scope`: loops that are outside the indices.
// REQUIRES: as many values as executions; values below 2^40 and indices below 2^16 in magnitude.
// Cost: executions x loops x iterations of a loop.
std::optional<expr::Expr> law_in_pieces(std::span<const std::int64_t> values,
                                        const Indices& indices, std::size_t scope);

}  // namespace reprise::program
