// Values of a series within limits, without a walk through it.
#pragma once

#include <cstdint>

#include "trace/series.hpp"

namespace reprise::trace {

// Whether one of the first n values is from `low` to `high`, both included; behind the end there
// are none. Of a repeat that moves by a step, more passes than 2^16 that may come there are taken
// for ones that do. REQUIRES: low <= high. Cost: O(terms), and O(passes) of such repeats.
bool has_value_within(const Series& series, std::uint64_t n, std::int64_t low, std::int64_t high);

}  // namespace reprise::trace
