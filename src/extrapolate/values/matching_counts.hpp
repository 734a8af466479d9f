// Counts of vector collectives, which MPI requires to match: what MPI_Gatherv receives from each
// rank is what that rank sends, what MPI_Scatterv sends to each rank is what that rank receives,
// and so on. The law of one side is that of the other one, at the rank whose place in the list it
// is.
#pragma once

#include <cstdint>
#include <optional>

#include "extrapolate/laws/find_law.hpp"
#include "trace/calls/functions.hpp"

namespace reprise::extrapolate {

// For the elements of a list of counts, the column with the counts of the other side: one number of
// each rank, or a list with an element for each rank that stands before this one.
std::optional<std::uint32_t> matching_counts_of(const trace::Function& function,
                                                std::uint32_t column);

// The law of the list, from that of the other side; nothing if it does not explain all samples, as
// where the two count in different datatypes, or if a call is not on a communicator of all ranks in
// their order.
std::optional<Law> law_of_matching_counts(const Slot& slot, const SlotView& counts,
                                          const Law& other_side, const LawSearch& search);

}  // namespace reprise::extrapolate
