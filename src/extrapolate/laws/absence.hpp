// Where a call or a loop is not executed, by the laws of the trips around it. Its parameters need
// no law there.
#pragma once

#include <functional>
#include <optional>

#include "extrapolate/inputs/slot.hpp"
#include "extrapolate/laws/law.hpp"

namespace reprise::extrapolate {

// The law of an item's trips, or null where none is known.
using TripsLaws = std::function<const Law*(std::uint32_t item)>;

// A condition over the rank and the indices of the loops around: 1 where one of the items of the
// slot's chain has no trips, or fewer than the index of its loop says. 0 if no law tells. Laws on
// another grid than those before are left out.
NumberLaw absence(const SlotShape& shape, const TripsLaws& trips);

}  // namespace reprise::extrapolate
