// A limit on the total number of steps, so that the time is bounded for every trace, whatever its
// contents.
#pragma once

#include <cstdint>

namespace reprise::extrapolate {

struct Budget {
  std::uint64_t left = 0;

  // False: they are used up.
  bool take(std::uint64_t n) {
    if (n > left) {
      left = 0;
      return false;
    }
    left -= n;
    return true;
  }
};

}  // namespace reprise::extrapolate
