// Counts of vector collectives, which MPI requires to match: what MPI_Gatherv receives from each
// rank is what that rank sends, what MPI_Scatterv sends to each rank is what that rank receives,
// and so on. The i-th count of one side thus has the law of the other side on rank i.
#pragma once

#include <cstdint>
#include <optional>

#include "extrapolate/laws/find_law.hpp"
#include "trace/calls/functions.hpp"

namespace reprise::extrapolate {

// For the elements of a list of counts, the column that has the counts of the other side: one
// number of each rank, or the elements of an earlier list. Nothing for other columns.
std::optional<std::uint32_t> matching_counts_of(const trace::Function& function,
                                                std::uint32_t column);

// The law of the list, from that of the other side; nothing if it does not explain all samples, as
// where the two sides have different datatypes, or if a call is not on a communicator of all ranks
// in their order.
std::optional<Law> law_of_matching_counts(const Slot& slot, const SlotView& counts,
                                          const Law& other_side, const LawSearch& search);

}  // namespace reprise::extrapolate
