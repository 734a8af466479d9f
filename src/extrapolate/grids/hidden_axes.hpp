// Axes of a grid that are one rank wide in some inputs. A rank that is its own neighbor shows one:
// on a torus of 2 x 2 x 1 ranks each rank sends to itself along the third axis. The inputs then do
// not determine how wide it is at the target: on 4 and 9 ranks a torus of three dimensions is a
// square, on 16 it has 4 x 2 x 2 ranks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "extrapolate/inputs/align.hpp"
#include "extrapolate/laws/number_law.hpp"

namespace reprise::extrapolate {

// Why a law of the peers of a call is one of several; nothing if it is not. `grid`: of the law.
// Cost: rules x samples if the call has such peers.
std::optional<std::string> doubt_of_hidden_axes(const Aligned& inputs, std::uint32_t site,
                                                std::size_t column, std::int64_t target,
                                                const Grids& grids,
                                                std::optional<std::size_t> grid);

}  // namespace reprise::extrapolate
