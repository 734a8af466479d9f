// The requests that a call takes, which follow from the calls before it that made them.
//
// A request is numbered by the pending ones that are younger, and a list of requests has as many
// elements as calls have made, so both are sums of the trip counts of calls. On small grids samples
// of such a sum have shorter laws, which are wrong on larger ones.
#pragma once

#include <optional>

#include "extrapolate/laws/absence.hpp"
#include "extrapolate/laws/find_law.hpp"

namespace reprise::extrapolate {

// Whether a column is a request, as in MPI_Wait, the length of a list of requests, as in
// MPI_Waitall and MPI_Startall, or their elements.
bool is_of_requests(const trace::Function& function, std::uint32_t column);

// The law of such a column, if the requests are those that a stretch of the calls before made, each
// at most once for a request of its own: the calls of one function, or of all. The elements of a
// list are in the order of these calls, and null behind them. Nothing if no stretch explains all
// values, or if two that do differ at the target.
// Cost: O(m^2) for m calls before, and their laws at each sample.
std::optional<Law> law_of_requests(const Slot& slot, const SlotView& view, const TripsLaws& trips,
                                   const std::vector<bool>& repeated, const LawSearch& search);

}  // namespace reprise::extrapolate
