// The streams along a critical path.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "simulate/machine/units.hpp"

namespace reprise::simulate {

// The part of a critical path on one stream [ps].
struct RoutePart {
  std::uint32_t stream = 0;
  Picoseconds from = 0, to = 0;

  bool operator==(const RoutePart&) const = default;
};

// The parts of all paths but their last ones. Each refers to the part before it, so that paths
// share their beginnings. Parts are never removed: 16 bytes for each message that a path goes
// along.
class RouteLog {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  // Beyond that, paths are not known (64 MiB).
  static constexpr std::size_t kMost = 4'000'000;

  // A part that follows `before` and begins at `from`. Returns its number.
  std::uint32_t add(std::uint32_t stream, Picoseconds from, std::uint32_t before) {
    if (parts_.size() == kMost) {
      is_full_ = true;
      return kNone;
    }
    parts_.push_back({from, stream, before});
    return static_cast<std::uint32_t>(parts_.size() - 1);
  }

  // The path whose last part is this one and follows `before`, from its beginning; empty if there
  // were too many parts.
  std::vector<RoutePart> path(RoutePart last, std::uint32_t before) const {
    std::vector<RoutePart> out;
    if (is_full_) return out;
    out.push_back(last);
    for (; before != kNone; before = parts_[before].before)
      out.push_back({parts_[before].stream, parts_[before].from, out.back().from});
    std::ranges::reverse(out);
    return out;
  }

 private:
  struct Part {
    Picoseconds from;
    std::uint32_t stream, before;
  };

  std::vector<Part> parts_;
  bool is_full_ = false;
};

}  // namespace reprise::simulate
