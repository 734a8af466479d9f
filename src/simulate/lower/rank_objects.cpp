#include "simulate/lower/rank_objects.hpp"

#include "trace/calls/predefined.hpp"

namespace reprise::simulate {

Place* RankObjects::comm(std::int64_t id) {
  if (id == trace::kWorld) return &world_;
  if (id == trace::kSelf) return &self_;
  return find(comms_, id);
}

void RankObjects::set_epoch(std::int64_t window, bool is_exposed, std::int64_t group) {
  const std::vector<std::uint32_t>* members = groups_.members(group);
  auto& epoch = epochs_[{window, is_exposed}];
  epoch.reset();
  if (members) epoch = *members;
}

const std::vector<std::uint32_t>* RankObjects::epoch(std::int64_t window, bool is_exposed) const {
  const auto found = epochs_.find({window, is_exposed});
  return found != epochs_.end() && found->second ? &*found->second : nullptr;
}

void RankObjects::set_lock(std::uint64_t window, std::uint32_t peer, bool is_exclusive) {
  locks_[{window, peer}] = is_exclusive;
}

std::optional<bool> RankObjects::take_lock(std::uint64_t window, std::uint32_t peer) {
  const auto found = locks_.find({window, peer});
  if (found == locks_.end()) return std::nullopt;
  const bool is_exclusive = found->second;
  locks_.erase(found);
  return is_exclusive;
}

}  // namespace reprise::simulate
