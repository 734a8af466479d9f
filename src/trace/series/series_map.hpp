// A series with other values in the same places.
#pragma once

#include <functional>

#include "trace/series/series.hpp"

namespace reprise::trace {

using Mapping = std::function<std::int64_t(std::int64_t)>;

// The first `length` values, each replaced by what `map` says; behind them anything may stand.
// Constant runs are mapped as such, so that the cost is O(terms), and O(values) for what has steps.
Series map_values(const Series& series, std::uint64_t length, const Mapping& map);

// Every value times `factor`, but for special values. Cost: O(terms).
Series multiply_values(const Series& series, std::int64_t factor);

}  // namespace reprise::trace
