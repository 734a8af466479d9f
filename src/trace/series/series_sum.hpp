// Sums over a series in closed form.
#pragma once

#include <cstdint>

#include "trace/series/series.hpp"
#include "trace/values/value.hpp"

namespace reprise::trace {

// The sum of the first n values, modulo 2^64. Behind the end values are 0. Cost: O(terms x
// nesting).
std::int64_t sum_of(const Series& series, std::uint64_t n);

// The same for what one stream sees of a value.
std::int64_t sum_of(const Value& value, std::uint64_t stream, std::uint64_t n);

// Whether a special value may be among the values, in which case a sum means nothing. What steps as
// far as where those are is taken for one.
bool may_have_special(const Series& series);

}  // namespace reprise::trace
