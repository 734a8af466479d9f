// The part of a trace that is exported: formats without loops are as long as the run.
#pragma once

#include <cstdint>
#include <limits>

namespace reprise::convert {

struct FlatRange {
  std::uint64_t first_rank = 0;
  std::uint64_t last_rank = std::numeric_limits<std::uint64_t>::max();  // that one too
  // Calls that lie wholly in this time; since the first call's computation began [ns].
  std::int64_t from = 0;
  std::int64_t until = std::numeric_limits<std::int64_t>::max();

  bool has_rank(std::uint64_t rank) const { return rank >= first_rank && rank <= last_rank; }
  bool has_time(std::int64_t begin, std::int64_t end) const {
    return begin >= from && end <= until;
  }
  // All calls of the ranks.
  bool is_whole_time() const {
    return from <= 0 && until == std::numeric_limits<std::int64_t>::max();
  }
};

}  // namespace reprise::convert
