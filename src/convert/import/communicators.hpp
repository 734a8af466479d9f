// The communicators of a source, which names their members but rarely the calls that made them, and
// how a rank of the trace comes to have them.
//
// In a trace a communicator follows from the call that made it. Where the source says which call
// that was, it becomes an MPI_Comm_split there, or MPI_Comm_dup if it was that. Else all
// communicators are made right after MPI_Init, by one MPI_Comm_split for each *layer*: disjoint
// children of one parent. The color is the first member's rank in the parent, the key the rank in
// the new communicator, so that those of a grid fold into expressions.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "compress/process.hpp"
#include "trace/values/value.hpp"

namespace reprise::convert {

// Index of a communicator of the source.
using CommIndex = std::size_t;

struct CommDefinition {
  enum class Kind : std::uint8_t { world, self, made, inter };

  Kind kind = Kind::made;
  CommIndex parent = 0;                     // of `made`
  std::vector<std::uint32_t> members = {};  // ranks in the world, in the order of their ranks here
  std::vector<std::uint32_t> others = {};   // of `inter`: the other group
  bool says_creation = false;               // the source marks where it is made
};

class SourceComms {
 public:
  // REQUIRES: there is a world; parents stand before their children.
  SourceComms(std::vector<CommDefinition> comms, std::uint64_t ranks);

  std::uint64_t ranks() const { return ranks_; }
  std::size_t size() const { return comms_.size(); }
  CommIndex world() const { return world_; }
  const CommDefinition& at(CommIndex comm) const { return comms_[comm]; }
  // The place of a rank of the world in a communicator; of size 0 if it is no member.
  trace::Membership membership(CommIndex comm, std::uint32_t rank) const;
  bool has_same_members(CommIndex a, CommIndex b) const;

  struct Layer {
    CommIndex parent;
    std::vector<CommIndex> comms;
  };
  // Parents before their children. Cost: members x layers.
  const std::vector<Layer>& layers() const { return layers_; }

 private:
  void find_layers();

  std::vector<CommDefinition> comms_;
  std::vector<bool> is_ascending_;  // by communicator: its members
  std::uint64_t ranks_;
  CommIndex world_ = 0;
  std::vector<Layer> layers_;
};

// Where communicators are made in the trace.
enum class Creation : std::uint8_t { in_place, at_init };

// Those of one rank, as it makes them.
class RankComms {
 public:
  RankComms(const SourceComms& comms, std::uint32_t rank);

  // Its number in the trace; none before it is made.
  std::optional<std::int64_t> number(CommIndex comm) const;
  trace::Membership membership(CommIndex comm) const { return comms_.membership(comm, rank_); }

  // A call that makes a communicator on a parent, or makes none on this rank.
  struct Made {
    std::int64_t parent;
    std::int64_t number;  // kNull: none
    trace::Membership membership;
    std::int64_t color, key;
  };
  // REQUIRES: the parent has a number.
  Made make(CommIndex parent, std::optional<CommIndex> comm);
  // The communicator that the next call on a parent makes, where the source does not mark it.
  std::optional<CommIndex> next_unmarked(CommIndex parent);
  // That of a layer in which the rank is.
  std::optional<CommIndex> own_in(const SourceComms::Layer& layer) const;

  bool has_made_some() const { return names_.size() > 2; }

  const SourceComms& source() const { return comms_; }
  std::uint32_t rank() const { return rank_; }
  const std::vector<compress::CommName>& names() const { return names_; }
  const std::vector<trace::Membership>& members() const { return members_; }

 private:
  const SourceComms& comms_;
  std::uint32_t rank_;
  std::vector<std::int64_t> number_;                // by communicator of the source; -1: none yet
  std::vector<compress::CommName> names_;           // by number
  std::vector<trace::Membership> members_;          // by number
  std::map<std::int64_t, std::uint64_t> children_;  // of a number: so far
  std::map<CommIndex, std::size_t> unmarked_;       // of a parent: layers used so far
};

}  // namespace reprise::convert
