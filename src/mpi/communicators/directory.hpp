// Who is who in which group: from a rank in a communicator to the rank in the world.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>

#include "mpi/communicators/groups.hpp"

namespace reprise::mpi {

// The members of a group that are ranks together: all of them, or those on one side of an
// inter-communicator.
struct Side {
  std::uint64_t members = 0;  // Group::members
  std::uint64_t side = 0;     // 0: nobody there is known yet
};

class Directory {
 public:
  // A rank knows itself as a member of the group.
  void add(const Group& group, std::uint64_t world_rank);
  // The same for MPI_COMM_WORLD and MPI_COMM_SELF, and for the communicators that an event makes,
  // which `groups` has learned. What has the members of another one is not kept.
  void add_predefined(const Groups& groups, std::uint64_t world_rank);
  void add_made(const Groups& groups, const trace::Event& event, std::uint64_t world_rank);

  // Those that a member's peers are ranks of.
  Side peers_of(const Group& group) const;
  // Whether all of them are known.
  bool knows_all(Side among) const;
  // In the world.
  std::optional<std::uint64_t> find(Side among, Rank rank) const;
  // The lowest member in the world, on any side. `members`: Group::members.
  std::optional<std::uint64_t> lowest(std::uint64_t members) const;
  // How many processes take part in the collectives of the group; 0: not known yet.
  std::int64_t members(const Group& group) const;

  // The members on all sides, or on one.
  template <class Visit>
  void for_each(std::uint64_t members, Visit visit) const {
    const auto found = groups_.find(members);
    if (found == groups_.end()) return;
    for (const auto& [side, those] : found->second) {
      for (const auto& [rank, world_rank] : those.world_ranks) visit(world_rank);
    }
  }

  template <class Visit>
  void for_each(Side among, Visit visit) const {
    const Members* const members = find(among);
    if (!members) return;
    for (const auto& [rank, world_rank] : members->world_ranks) visit(world_rank);
  }

  // The first of them that is as wanted, as a rank of the world.
  template <class IsWanted>
  std::optional<std::uint64_t> find_if(Side among, IsWanted is_wanted) const {
    const Members* const members = find(among);
    if (!members) return std::nullopt;
    for (const auto& [rank, world_rank] : members->world_ranks) {
      if (is_wanted(world_rank)) return world_rank;
    }
    return std::nullopt;
  }

 private:
  struct Members {
    std::int64_t peers = 0;  // ranks on the other side, or on this one if there is no other
    std::map<std::int64_t, std::uint64_t> world_ranks;
    std::uint64_t lowest = ~std::uint64_t{0};  // of these
  };

  const Members* find(Side among) const;  // null: none of them is known

  std::unordered_map<std::uint64_t, std::map<std::uint64_t, Members>> groups_;  // by Side
};

// All communicators of a trace whose ranks have one thread each. Cost: all streams are walked.
Directory directory_of(const trace::Trace& trace);

}  // namespace reprise::mpi
