#include "report/engine/columns.hpp"

#include <algorithm>

namespace reprise::report {

std::size_t Columns::at(Picoseconds t) const {
  auto column = static_cast<std::size_t>(
      static_cast<double>(t - from) / static_cast<double>(to - from) * static_cast<double>(count));
  column = std::min(column, count - 1);
  // Rounding may be off by one.
  while (column > 0 && begin(column) > t) --column;
  while (column + 1 < count && begin(column + 1) <= t) ++column;
  return column;
}

}  // namespace reprise::report
