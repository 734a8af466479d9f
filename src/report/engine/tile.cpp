#include "report/engine/tile.hpp"

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

Picoseconds TileLine::whole_until(Picoseconds from) const {
  if (from < columns_.from || from >= columns_.to) return from;
  const std::size_t column = columns_.at(from);
  return column + 1 == columns_.count ? columns_.to : columns_.begin(column + 1);
}

void TileLine::passes(Picoseconds from, Picoseconds, const Shares& one, Picoseconds times) {
  sums_[columns_.at(from)].add(one, times);
}

void TileLine::piece(Picoseconds from, Picoseconds to, Kind kind, bool is_selected) {
  from = std::max(from, columns_.from);
  to = std::min(to, columns_.to);
  while (from < to) {
    const Picoseconds end = std::max(from + 1, std::min(to, whole_until(from)));
    sums_[columns_.at(from)].add(kind, end - from, is_selected);
    from = end;
  }
}

void TileLine::span(const Span& s) {
  const bool is_selected = kinds_.selected[s.call];
  piece(s.begin, s.enters(), Kind::compute, is_selected);
  piece(s.enters(), s.end(), kinds_.kinds[s.call], is_selected);
}

}  // namespace reprise::report
