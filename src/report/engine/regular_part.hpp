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

}  // namespace reprise::report
