// The mean of some numbers.
#pragma once

#include <span>

namespace reprise::fit {

// REQUIRES: there are some.
inline double mean_of(std::span<const double> values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return sum / static_cast<double>(values.size());
}

}  // namespace reprise::fit
