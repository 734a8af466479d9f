// Which processes a communicator, a window or a file joins, under one name on all of its members.
//
// A trace numbers the parts of an MPI_Comm_split alike, and windows and files process by process.
// Here each gets a *key* that exactly its members share, made from how it came to be: the parent's
// key, the number, and what tells the parts apart (a color, coordinates in a grid, or how many
// ranks before had the same rank in a part of the same size). No rank needs to see another for it,
// but for the last of these.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "mpi/communicators/communicators.hpp"
#include "mpi/communicators/process_groups.hpp"

namespace reprise::mpi {

struct Group {
  std::uint64_t key = 0;  // 0: not known
  // The key of the communicator whose members it has, in the same order: its own, but for windows,
  // files and duplicates of communicators.
  std::uint64_t members = 0;
  std::uint64_t side = 0;  // of an inter-communicator: that of the local group; else `members`
  std::int64_t rank = 0;   // of the stream in it
  std::int64_t size = 0;   // ranks that peers are numbers of; 0: not known
  bool is_inter = false;

  bool is_known() const { return key != 0; }
};

// What streams have in common while they are looked at in the order of the ranks.
class GroupNames {
 public:
  // How many streams before had that rank in one of the parts.
  std::uint64_t occurrence(std::uint64_t parts, Rank rank) { return seen_[{parts, rank}]++; }

 private:
  std::map<std::pair<std::uint64_t, Rank>, std::uint64_t> seen_;
};

// Those of one stream, as it makes them. REQUIRES: `names` outlives it, and each stream is walked
// once, in order.
class Groups {
 public:
  // `world`: what the stream is in MPI_COMM_WORLD.
  Groups(GroupNames& names, trace::Membership world);

  // Takes in what the event makes.
  void learn(const trace::Event& event);

  // Whose members the event concerns: of a collective all that take part, of a message those that
  // its peer is one of. `learn` of the same event comes before.
  Group of(const trace::Event& event) const;
  Group comm(CommId id) const;
  // Those of the communicators, windows and files that the event makes, once it was learned.
  std::vector<Group> made(const trace::Event& event) const;

 private:
  void learn_processes(const trace::Event& event);
  void learn_comm(const trace::Event& event, const trace::MadeGroup& made);
  Group made_on_comm(const trace::Event& event, std::uint64_t salt);
  std::uint64_t key_of_processes(std::int64_t group);
  std::uint64_t part_key(const trace::Event& event, const Communicator& parent, const Group& on,
                         const trace::MadeGroup& made);

  GroupNames* names_;
  Communicators communicators_;
  ProcessGroups processes_;
  std::unordered_map<std::int64_t, Group> comms_;
  std::unordered_map<std::int64_t, Group> windows_, files_;
  std::unordered_map<std::uint64_t, std::uint64_t> creations_;  // windows and files, by parent
};

}  // namespace reprise::mpi
