// The displacements of the blocks of a call, from their counts: MPI allows any displacements, but
// programs compute them as the prefix sums of the counts.
#pragma once

#include <optional>

#include "extrapolate/laws/find_law.hpp"

namespace reprise::extrapolate {

// The column of the elements of the counts that the displacements in a column follow, as in
// MPI_Gatherv and MPI_Type_indexed; nothing for other columns.
std::optional<std::uint32_t> counts_before(const trace::Function& function, std::uint32_t column);

// The law of displacements, if each of them is the sum of the counts before it, times a number that
// they all have in common. The counts are those of the same call. Nothing if a sample contradicts
// this, or if the counts have no law over the place in the list.
std::optional<Law> displacements(const SlotView& displacements, const SlotView& counts,
                                 const Law& law_of_counts, LawSearch& search);

}  // namespace reprise::extrapolate
