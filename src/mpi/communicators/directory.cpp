#include "mpi/communicators/directory.hpp"

#include <algorithm>

#include "trace/calls/predefined.hpp"
#include "trace/cursors/cursor.hpp"

namespace reprise::mpi {

void Directory::add(const Group& group, std::uint64_t world_rank) {
  if (!group.is_known()) return;
  Members& side = groups_[group.members][group.side];
  side.peers = group.size;
  side.world_ranks.emplace(group.rank, world_rank);
  side.lowest = std::min(side.lowest, world_rank);
}

void Directory::add_predefined(const Groups& groups, std::uint64_t world_rank) {
  add(groups.comm(CommId{trace::kWorld}), world_rank);
  add(groups.comm(CommId{trace::kSelf}), world_rank);
}

void Directory::add_made(const Groups& groups, const trace::Event& event,
                         std::uint64_t world_rank) {
  for (const Group& made : groups.made(event)) {
    if (made.members == made.key) add(made, world_rank);
  }
}

Side Directory::peers_of(const Group& group) const {
  if (!group.is_inter) return {group.members, group.side};
  const auto found = groups_.find(group.members);
  if (found == groups_.end()) return {group.members, 0};
  for (const auto& [side, members] : found->second) {
    if (side != group.side) return {group.members, side};
  }
  return {group.members, 0};
}

bool Directory::knows_all(Side among) const {
  const Members* const members = find(among);
  if (!members) return false;
  const auto known = std::ssize(members->world_ranks);
  const auto& sides = groups_.find(among.members)->second;
  // In an inter-communicator the other side counts its peers.
  return std::ranges::any_of(sides, [&](const auto& s) {
    return (s.first != among.side || among.side == among.members) && s.second.peers == known;
  });
}

const Directory::Members* Directory::find(Side among) const {
  const auto group = groups_.find(among.members);
  if (group == groups_.end()) return nullptr;
  const auto members = group->second.find(among.side);
  return members == group->second.end() ? nullptr : &members->second;
}

std::optional<std::uint64_t> Directory::find(Side among, Rank rank) const {
  const Members* const members = find(among);
  if (!members) return std::nullopt;
  const auto found = members->world_ranks.find(number_of(rank));
  if (found == members->world_ranks.end()) return std::nullopt;
  return found->second;
}

std::optional<std::uint64_t> Directory::lowest(std::uint64_t members) const {
  const auto group = groups_.find(members);
  if (group == groups_.end()) return std::nullopt;
  std::uint64_t lowest = ~std::uint64_t{0};
  for (const auto& [side, those] : group->second) lowest = std::min(lowest, those.lowest);
  return lowest;
}

std::int64_t Directory::members(const Group& group) const {
  if (!group.is_inter) return group.size;
  const auto found = groups_.find(group.members);
  if (found == groups_.end() || found->second.size() < 2) return 0;
  std::int64_t sum = 0;
  for (const auto& [side, members] : found->second) sum += members.peers;
  return sum;
}

Directory directory_of(const trace::Trace& trace) {
  Directory out;
  GroupNames names;
  for (std::uint64_t rank = 0; rank < trace.ranks; ++rank) {
    Groups groups(names, trace::in_world(trace, rank));
    out.add_predefined(groups, rank);
    for (trace::Cursor cursor(trace, rank); cursor.next();) {
      groups.learn(cursor.event());
      out.add_made(groups, cursor.event(), rank);
    }
  }
  return out;
}

}  // namespace reprise::mpi
