// Where a call or a loop is not executed, by the laws of the trips around it. Its parameters need
// no law there.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "extrapolate/inputs/slot.hpp"
#include "extrapolate/laws/law.hpp"

namespace reprise::extrapolate {

// The law of an item's trips, or null where none is known.
using TripsLaws = std::function<const Law*(std::uint32_t item)>;

struct Absence {
  // A condition over the rank and the indices of the loops around: 1 where one of the items of the
  // slot's chain has no trips, or fewer than the index of its loop says.
  NumberLaw where;
  // Whether it is so nowhere else. If not, an item has no law of one number, or one on another grid
  // than those before, which is left out.
  bool is_all = true;
};

Absence absence(const SlotShape& shape, const TripsLaws& trips);

// Where a slot has no value in the first iteration of the loops around; nothing if that is not
// known, as of the elements of lists, which may be empty.
std::optional<NumberLaw> certain_absence(const Absence& absence, std::span<const Site> sites,
                                         const Slot& slot);

}  // namespace reprise::extrapolate
