// Trips that depend on the data, as the iterations of a solver until it converges: no law explains
// them, but how they are distributed may follow one.
//
// The quantiles of the trips over all passes are fitted as times are (fit/curves.hpp), with one
// shape. In a new trace each pass draws one, without replacement, in an order without meaning that
// is the same on all ranks: only where all ranks of a run make the same trips may they be drawn, or
// ranks would wait for each other in vain.
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
