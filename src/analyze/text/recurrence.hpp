// Whether a series comes again and again.
#pragma once

#include <cstdint>

#include "trace/series/series.hpp"

namespace reprise::analyze {

// Whether the first n values of a series come again every `period` values; of more than 4096 as far
// as the folded form tells, which has one repeat then.
bool recurs(const trace::Series& series, std::uint64_t period, std::uint64_t n);

}  // namespace reprise::analyze
