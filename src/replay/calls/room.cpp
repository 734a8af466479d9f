#include "replay/calls/room.hpp"

#include <algorithm>

namespace reprise::replay {

void Room::include(const Room& other, std::int64_t displacement) {
  if (other.low == other.high) return;
  const bool first = low == high;
  low = first ? other.low + displacement : std::min(low, other.low + displacement);
  high = first ? other.high + displacement : std::max(high, other.high + displacement);
  bytes += other.bytes;
}

const TypeTable::Extent& TypeTable::extent(MPI_Datatype type) {
  if (last_known_ && type == last_) return extent_;
  extent_ = {};
  if (type != MPI_DATATYPE_NULL) {
    MPI_Type_get_extent(type, &extent_.lower, &extent_.extent);
    MPI_Type_get_true_extent(type, &extent_.true_lower, &extent_.true_extent);
    MPI_Type_size_x(type, &extent_.size);
  }
  last_ = type;
  last_known_ = true;
  return extent_;
}

Room TypeTable::room(std::int64_t count, MPI_Datatype type) {
  if (count <= 0) return {};
  const Extent& e = extent(type);
  const std::int64_t last = (count - 1) * e.extent;
  return {e.true_lower + std::min<std::int64_t>(0, last),
          e.true_lower + e.true_extent + std::max<std::int64_t>(0, last) + widest_, count * e.size};
}

void TypeTable::widen(std::int64_t count, MPI_Datatype type) {
  widest_ = std::max(widest_, room(count, type).high - widest_);
}

}  // namespace reprise::replay
