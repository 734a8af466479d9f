// Sizes that depend on the data, such as how many keys or particles a rank sends to another one.
// They have no law, but their mean may follow one.
//
// A size is replaced by the mean over all ranks and executions, which is fitted with a power of the
// number of ranks. The volume of the call site is kept; differences between ranks and executions
// are lost. Where one call site sends to one call site, both have the same mean, and messages
// match.
#pragma once

#include <cstdint>
#include <optional>

#include "extrapolate/laws/find_law.hpp"
#include "trace/calls/functions.hpp"

namespace reprise::extrapolate {

// Whether a column is how much data a call moves: a count of elements, or a list of them.
bool is_size(const trace::Function& function, std::uint32_t column);

// A law of Standing::approximate. Nothing if a problem size differs between runs, if fewer than two
// runs have such a call, if a size is negative or the mean of a run 0, or if a run has too many.
// Cost: executions.
std::optional<Law> find_mean_size(const SlotView& sizes);

}  // namespace reprise::extrapolate
