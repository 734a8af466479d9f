// Counts in calculations with fractions.
#pragma once

#include <cstdint>

namespace reprise::compress {

inline double real(std::uint64_t n) { return static_cast<double>(n); }

}  // namespace reprise::compress
