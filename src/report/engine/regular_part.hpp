// Where a series repeats itself.
#pragma once

#include <cstdint>

#include "trace/values/value.hpp"

namespace reprise::report {

inline constexpr std::uint64_t kForEver = ~std::uint64_t{0};

// How many values from the `from`-th on lie in a part of the series in which each equals the one
// `period` later, as far as its terms tell; those behind the end are 0. Cost: O(terms x nesting).
// REQUIRES: period > 0.
std::uint64_t regular_part(const trace::Series& series, std::uint64_t from, std::uint64_t period);
// The same for what one stream sees of a value.
std::uint64_t regular_part(const trace::Value& value, std::uint64_t stream, std::uint64_t from,
                           std::uint64_t period);

// The period with which the values around the `from`-th repeat, if its term is a repeat with a step
// of 0; else 1.
std::uint64_t repeat_period(const trace::Series& series, std::uint64_t from);

}  // namespace reprise::report
