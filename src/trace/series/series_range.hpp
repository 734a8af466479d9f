// The least and the greatest value of a series, in closed form.
#pragma once

#include <cstdint>
#include <optional>

#include "trace/series/series.hpp"
#include "trace/values/value.hpp"

namespace reprise::trace {

struct ValueRange {
  std::int64_t least = 0, greatest = 0;

  bool operator==(const ValueRange&) const = default;
};

// The range of the first n values. None: there are no n values, or they overflow 64 bits.
// Cost: O(terms x nesting).
std::optional<ValueRange> range_of(const Series& series, std::uint64_t n);

// The same for what one stream sees of a value.
std::optional<ValueRange> range_of(const Value& value, std::uint64_t stream, std::uint64_t n);

}  // namespace reprise::trace
