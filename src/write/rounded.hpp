// Numbers without the digits that nobody can measure.
#pragma once

#include <algorithm>
#include <cmath>

namespace reprise::write {

// To so many digits, and to a whole nanosecond; less than one is none.
inline double rounded(double ns, int digits) {
  if (ns < 1) return 0;
  const double unit = std::pow(10, std::max(0.0, std::floor(std::log10(ns)) - digits + 1));
  return std::round(ns / unit) * unit;
}

}  // namespace reprise::write
