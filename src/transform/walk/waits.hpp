// Who waits for whom when no rank of a schedule can go on: which of the blocked ranks never will,
// and the cycles that they are in.
//
// A wait is for all of some operations, or for any of them (MPI_Waitany); a collective ends when
// all of its members have come to it, a receive from any source when any of them sends. A rank goes
// on if it is outside MPI, or if those go on for whom it waits: the least fixed point on the graph
// of ranks, collectives and possible senders, found by counting what each of them still needs
// (Dowling and Gallier 1984). Ranks that do not go on are in a cycle, or wait for ones that are or
// have ended.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "mpi/communicators/directory.hpp"
#include "transform/deadlock.hpp"
#include "transform/walk/operations.hpp"

namespace reprise::transform {

class RankWalk;

class Waits {
 public:
  // REQUIRES: all that is passed outlives it and does not change. Cost: O(ranks + operations that
  // ranks wait for + members of their groups).
  Waits(const std::vector<std::unique_ptr<RankWalk>>& ranks, const Operations& operations,
        const mpi::Directory& directory, const Meetings& meetings);

  // REQUIRES: a rank is blocked. Cost: as above.
  Deadlock deadlock() const;

 private:
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  // A rank, all unknown ranks, a collective that is not complete, or ranks of whom any may send.
  struct Node {
    std::int64_t needed = 0;                // more of those that it depends on
    std::vector<std::uint32_t> dependents;  // nodes
    std::uint64_t goes_on = kNever;         // its place in the order in which that was found
    // The node by which it goes on; of a collective that never ends, one by which it does not.
    std::uint32_t by = kNone;
  };

  std::uint32_t unknown_node() const { return static_cast<std::uint32_t>(ranks_.size()); }
  std::uint32_t add_node(const Operation& operation);
  std::uint32_t add_meeting(const Operation& collective);
  std::uint32_t add_senders(mpi::Side senders);
  void set_going(std::uint32_t node, std::uint32_t by);
  void find_going();
  void find_reasons_of_collectives();

  std::uint32_t node_of(const Operation& operation) const;
  std::vector<std::uint64_t> missing(const Operation& collective) const;
  bool goes_on(std::uint64_t node) const { return nodes_[node].goes_on != kNever; }
  Waiting waiting(std::uint64_t rank) const;
  Awaited awaited(std::uint32_t operation, std::uint32_t call) const;
  std::optional<std::uint64_t> peer_of(const Operation& operation) const;

  const std::vector<std::unique_ptr<RankWalk>>& ranks_;
  const Operations& operations_;
  const mpi::Directory& directory_;
  const Meetings& meetings_;
  std::vector<Node> nodes_;                                         // the first ones by rank
  std::unordered_map<std::uint64_t, std::uint32_t> meeting_nodes_;  // by key
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> senders_nodes_;  // by side
  std::vector<std::uint32_t> going_;  // nodes, in the order in which that was found
};

}  // namespace reprise::transform
