// What a stream is in its communicators and windows.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>

#include "trace/program.hpp"

namespace reprise::trace {

struct Event;

// The place of a stream in MPI_COMM_WORLD.
Membership in_world(const Trace& trace, std::uint64_t stream);

// Those of one stream, by the numbers that the trace gives communicators and windows. A call that
// makes one says the stream's place in it.
class Memberships {
 public:
  // Knows of no communicator.
  Memberships() = default;
  // `world`: the place in MPI_COMM_WORLD.
  explicit Memberships(Membership world);

  // Takes in what an event makes.
  void learn(const Event& event);
  // Takes in all that a stream makes, call by call and not in the stream's order. At most `left`
  // creations, which it counts down. False: there are more. Cost: O(nodes x terms + creations).
  bool learn_all(const Trace& trace, std::uint64_t stream, std::uint64_t& left);
  void add(Kind kind, std::int64_t id, Membership membership);

  // In a communicator or window; unknown if it was not made.
  Membership find(Kind kind, std::int64_t id) const {
    const Objects& known = kind == Kind::window ? windows_ : comms_;
    const auto found = known.find(id);
    return found == known.end() ? Membership{} : found->second;
  }
  // In that of an event; unknown if it has none.
  Membership of(const Event& event) const;

  // Whether the number has stood for objects in which the places differ: windows are numbered
  // again.
  bool is_ambiguous(Kind kind, std::int64_t id) const {
    return kind == Kind::window && ambiguous_windows_.contains(id);
  }
  // How many communicators and windows are known.
  std::size_t size() const { return comms_.size() + windows_.size(); }
  const std::unordered_map<std::int64_t, Membership>& comms() const { return comms_; }

 private:
  using Objects = std::unordered_map<std::int64_t, Membership>;

  // As of learn_all.
  struct Learning {
    const Trace& trace;
    std::uint64_t stream;
    std::uint64_t& left;
  };
  bool learn_item(const Item& item, std::uint64_t passes, const Learning& learning);
  bool learn_call(const Call& call, std::uint64_t executions, const Learning& learning);

  Objects comms_, windows_;
  std::unordered_set<std::int64_t> ambiguous_windows_;
};

}  // namespace reprise::trace
