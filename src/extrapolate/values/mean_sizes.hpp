// Sizes that depend on the data, such as how many keys or particles a rank sends to another one:
// they have no law, but their mean may follow one.
//
// Each is taken for the mean of all calls, which is fitted with a power of the number of ranks.
// Both sides of a message have one mean, so that they still match, and the volume of the call site
// is kept; what ranks and calls differ in is lost.
#pragma once

#include <cstdint>
#include <optional>

#include "extrapolate/laws/find_law.hpp"
#include "trace/calls/functions.hpp"

namespace reprise::extrapolate {

// Whether a column is how much data a call moves: a count of elements, or a list of them.
bool is_size(const trace::Function& function, std::uint32_t column);

// A law of Standing::approximate; nothing if a problem size differs between runs, if fewer than two
// runs have such a call, or if a mean is not positive.
std::optional<Law> find_mean_size(const SlotView& sizes);

}  // namespace reprise::extrapolate
