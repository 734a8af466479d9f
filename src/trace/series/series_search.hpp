// Values of a series within limits, without a walk through it.
#pragma once

#include <cstdint>

#include "trace/series/series.hpp"

namespace reprise::trace {

// Whether one of the first n values is from `low` to `high`, both included; behind the end there
// are none. Repeats that move by a step and may come there are walked pass by pass; where all of
// them together take more than 2^20 terms, it is taken for true.
// REQUIRES: low <= high. Cost: O(terms x nesting), of at most 2^20 terms more than the series has.
bool has_value_within(const Series& series, std::uint64_t n, std::int64_t low, std::int64_t high);

}  // namespace reprise::trace
