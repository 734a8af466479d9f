// The members of communicators. A trace numbers a communicator alike on all ranks that share it and
// has each rank's place in it; the other members are known when all of them have created it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "mpi/communicators/topology.hpp"

namespace reprise::simulate {

struct Group {
  std::uint32_t id = 0;                   // two contexts of matching: 2 id, and 2 id + 1
  bool is_world = false;                  // members are not listed
  std::vector<std::uint32_t> members;     // ranks in MPI_COMM_WORLD, by rank in the group
  std::vector<std::uint32_t> others;      // inter-communicators: the remote group
  mpi::Grid grid;                         // if it is Cartesian
  std::vector<mpi::Neighbors> neighbors;  // by rank, if it has another topology
  std::uint64_t size = 0;

  bool is_inter() const { return !others.empty(); }
  std::uint32_t context() const { return 2 * id; }
  std::uint32_t collective_context() const { return 2 * id + 1; }
  // The process that a rank is, for point-to-point messages; REQUIRES: it is one of the group.
  std::uint32_t peer(std::uint64_t rank) const {
    if (is_world) return static_cast<std::uint32_t>(rank);
    return is_inter() ? others[rank] : members[rank];
  }
  std::uint64_t peers() const { return is_inter() ? others.size() : size; }
  std::uint32_t member(std::uint64_t rank) const {
    return is_world ? static_cast<std::uint32_t>(rank) : members[rank];
  }
  std::vector<std::uint32_t> listed() const;
};

// A process's place in a group.
struct Place {
  std::shared_ptr<const Group> group;
  std::int64_t rank = 0;
  std::uint64_t collectives = 0;  // how many it has called, of those that need a number
  std::uint64_t id = 0;           // of a window: the same for all that share it, and no other
  std::uint64_t serial = 0;       // of a window: which in its group
};

// The neighbors of a rank, of its grid if it has no other topology; none: none.
mpi::Neighbors neighbors_of(const Group& group, std::int64_t rank);

// The arguments of one process that takes part in creating a communicator.
struct Entry {
  std::uint32_t process = 0;
  std::int64_t id = 0;           // of the new communicator; negative: it gets none
  std::int64_t rank = 0;         // in it
  std::int64_t size = 0;         // of it; inter-communicators: of the remote group
  std::int64_t part = 0;         // processes with different parts are in different ones
  std::uint32_t local = 0;       // the group that it comes from: its id
  mpi::Neighbors neighbors;      // that it names itself
  std::vector<mpi::Edge> edges;  // anywhere in a graph
};

// The resulting communicators: each process's group, or null, in the order of the entries.
// `next_id` numbers groups. False in `agrees`: ranks and sizes contradict each other.
struct Formed {
  std::vector<std::shared_ptr<Group>> groups;
  bool agrees = true;
};
Formed form_groups(const std::vector<Entry>& entries, bool is_inter, std::uint32_t& next_id);

}  // namespace reprise::simulate
