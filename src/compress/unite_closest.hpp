// Makes classes of streams fewer: unites those that are alike, and the closest while there are too
// many.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "compress/merged_times.hpp"

namespace reprise::compress {

// `distance(i, j)`: of two classes, i < j. `join(i, j)` makes them class i, and moves those behind
// j one place forward. `number` follows where each class goes. Cost: O(classes^3).
template <class Distance, class Join>
void unite_closest(std::size_t classes, std::vector<std::uint8_t>& number, Distance&& distance,
                   Join&& join) {
  for (; classes > 1; --classes) {
    std::size_t a = 0, b = 1;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < classes; ++i) {
      for (std::size_t j = i + 1; j < classes; ++j) {
        const double d = distance(i, j);
        if (d >= least) continue;
        least = d;
        a = i;
        b = j;
      }
    }
    if (least > kAlikeMeans && classes <= kMaxStreamClasses) return;
    join(a, b);
    for (std::uint8_t& n : number) {
      if (n == b) {
        n = static_cast<std::uint8_t>(a);
      } else if (n > b) {
        --n;
      }
    }
  }
}

}  // namespace reprise::compress
