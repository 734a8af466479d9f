// Encoded length of values without a law. A longer law is no evidence for other values: among all
// expressions of that length, one fits any few numbers. (Minimum description length; Rissanen
// 1978.)
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <vector>

namespace reprise::solve {

// Each different value once, and for each sample the index of its value [bits].
inline double bits_of_values(const std::vector<std::int64_t>& values) {
  std::map<std::int64_t, std::size_t> counts;
  for (const std::int64_t v : values) ++counts[v];
  double bits = 0;
  const auto n = static_cast<double>(values.size());
  for (const auto& [value, count] : counts) {
    bits += 4 + static_cast<double>(std::bit_width(static_cast<std::uint64_t>(std::abs(value))));
    bits += static_cast<double>(count) * std::log2(n / static_cast<double>(count));
  }
  return bits;
}

// The longest law of the values that is considered [bits]. A law of 24 bits is a rival of others
// even where the values are equally short.
inline std::uint32_t longest_law(const std::vector<std::int64_t>& values) {
  constexpr std::uint32_t kSimple = 24;
  return std::max(kSimple, static_cast<std::uint32_t>(bits_of_values(values)));
}

}  // namespace reprise::solve
