#include "extrapolate/communicators/places.hpp"

#include "trace/calls/predefined.hpp"

namespace reprise::extrapolate {

std::optional<Place> Places::find(std::int64_t comm, std::int64_t rank) const {
  if (comm == trace::kWorld) {
    return Place{static_cast<std::int32_t>(rank), static_cast<std::int32_t>(ranks_), kWorldPart};
  }
  if (comm == trace::kSelf) return Place{0, 1, static_cast<std::uint32_t>(1 + rank)};
  const auto found = made_.find(comm);
  if (found == made_.end()) return std::nullopt;
  const Place& place = found->second[static_cast<std::size_t>(rank)];
  return place.rank < 0 ? std::nullopt : std::optional(place);
}

std::vector<Place>& Places::of(std::int64_t comm) {
  auto& out = made_[comm];
  out.resize(static_cast<std::size_t>(ranks_));
  return out;
}

}  // namespace reprise::extrapolate
