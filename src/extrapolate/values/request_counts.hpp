// How many requests a call takes: as many as the calls before it made.
#pragma once

#include <optional>

#include "extrapolate/laws/absence.hpp"
#include "extrapolate/laws/find_law.hpp"

namespace reprise::extrapolate {

// Whether a column is the length of a list of requests, as in MPI_Waitall and MPI_Startall.
bool is_request_count(const trace::Function& function, std::uint32_t column);

// The law of such a column, if the requests are those of a stretch of calls before it: the sum of
// the laws of the trips of these calls. A stretch has calls of one function or of all. Nothing if
// no sum has all values, or if two that do differ at the target.
std::optional<Law> request_count(const Slot& slot, const SlotView& counts, const TripsLaws& trips,
                                 const std::vector<bool>& repeated, const LawSearch& search);

}  // namespace reprise::extrapolate
