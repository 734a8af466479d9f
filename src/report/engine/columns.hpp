// Pixels over time.
#pragma once

#include <cstddef>

#include "report/engine/kinds.hpp"

namespace reprise::report {

// Pixels of one length over [from, to) [ps]; the first of them begins at `from`.
struct Columns {
  Picoseconds from = 0, to = 1;
  std::size_t count = 1;

  Picoseconds begin(std::size_t column) const {
    return from +
           static_cast<Picoseconds>(static_cast<double>(to - from) * static_cast<double>(column) /
                                    static_cast<double>(count));
  }
  // The column that `t` lies in. REQUIRES: from <= t < to.
  std::size_t at(Picoseconds t) const;
};

}  // namespace reprise::report
