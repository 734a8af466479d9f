// Walks a series like SeriesCursor, and can also leap: to any position, and over values that are
// known to repeat. A simulator that has found a loop's regime goes on behind it this way.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trace/series/series.hpp"

namespace reprise::trace {

// REQUIRES: the series outlives the cursor and does not change.
class SeekCursor : public TermCursor {
 public:
  SeekCursor() = default;
  explicit SeekCursor(const Series& series) : terms_(series.terms()) { seek(0); }

  // The next value; 0 behind the end.
  std::int64_t next() {
    const std::int64_t value = value_;
    ++position_;
    if (left_ == 0) return 0;
    value_ = wrapping_add(value_, step_);
    if (left_ != kForever && --left_ == 0) advance();
    return value;
  }

  // How many values have been taken.
  std::uint64_t position() const { return position_; }
  // Goes to where `position` values have been taken. Cost: O(terms x nesting).
  void seek(std::uint64_t position);

  // The end of a range of positions from `begin` on in which every value is equal to the one
  // `end - begin` before it, if that is in the range too; `begin` if none is known.
  // REQUIRES: begin < end. Cost: O(terms x nesting).
  std::uint64_t periodic_until(std::uint64_t begin, std::uint64_t end) const;

 private:
  std::span<const Term> terms_;
  std::uint64_t position_ = 0;
};

}  // namespace reprise::trace
