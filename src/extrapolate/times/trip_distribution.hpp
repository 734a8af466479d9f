// Trip counts that depend on the data, such as the iterations of a solver until it converges: they
// have no law, but their distribution may have one.
//
// The quantiles of the trips over all passes are fitted like times (fit/curves.hpp), with one
// shape. In a new trace each pass draws one, without replacement, in a pseudo-random order that is
// the same on all ranks. Trips are drawn only where all ranks of a run make the same number;
// otherwise ranks would deadlock.
#pragma once

#include <optional>

#include "extrapolate/laws/find_law.hpp"

namespace reprise::extrapolate {

// Nothing if ranks differ in some run. REQUIRES: a slot of trips.
std::optional<Law> find_distribution(const SlotView& slot);

// The trips of so many passes. `point`: the number of ranks, then declared parameters.
// REQUIRES: a law of the form `distribution`.
trace::Series draw_trips(const Law& law, std::span<const double> point, std::uint64_t passes,
                         std::uint64_t key);

}  // namespace reprise::extrapolate
