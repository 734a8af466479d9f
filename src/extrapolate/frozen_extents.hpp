// Extents that the grids of all inputs have in common, and that of the target has not: on 4, 6 and
// 8 ranks a grid is 2 wide, and no sample tells "two ranks further" from "a row further". A law
// that has such a number is one of two, and is refused.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>

#include "extrapolate/law.hpp"

namespace reprise::extrapolate {

// Of grids in two and three dimensions, by every rule that there is; of 2 and more.
std::set<std::int64_t> frozen_extents(std::span<const std::int64_t> inputs, std::int64_t target);

// A number in the law that is one of them, the number of values in a run apart.
std::optional<std::int64_t> frozen_number(const Law& law, const std::set<std::int64_t>& frozen);

}  // namespace reprise::extrapolate
