// How many steps something may take in all, so that no trace, however it says it was made, takes
// for ever.
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
