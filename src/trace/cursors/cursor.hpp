// Walks what one stream did, call by call, without expanding the trace.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "trace/cursors/call_cursor.hpp"

namespace reprise::trace {

// O(nodes) memory, amortised O(1) per call.
// REQUIRES: the trace outlives the cursor and does not change.
class Cursor {
 public:
  Cursor(const Trace& trace, std::uint64_t stream);

  // Goes on to the next call. False behind the last one, or if the trace is damaged.
  bool next();

  // The call that the cursor stands at. REQUIRES: the last next() returned true.
  const Event& event() const { return event_; }
  // What the stream is in that call's communicator or window; size 0: there is none, or it is not
  // known.
  Membership call_membership() const { return membership_; }
  // What it is in those that it has made so far, with those of that call.
  const Memberships& memberships() const { return memberships_; }

  // The trace says more than it can: the walk ended early.
  bool damaged() const { return damaged_; }

 private:
  struct Pass {
    const Item* item;
    std::uint64_t left;  // trips to go, with the present one
    std::size_t child;   // next item of the body
  };

  void enter(const Item& item);
  void read_event(std::uint32_t call);
  Membership membership_in(Kind kind, std::int64_t id);
  void learn_from_threads();

  const Trace* trace_;
  std::uint64_t stream_;
  std::unordered_map<const Item*, ValueCursor> trips_;
  std::vector<CallCursor> calls_;  // not started before the first execution
  Memberships memberships_;
  std::optional<Memberships> of_threads_;  // that the rank's other threads make, once it is needed
  std::vector<Pass> stack_;
  std::uint64_t idle_ = 0;  // passes since the last call
  Event event_;
  Membership membership_;  // in its communicator or window
  bool damaged_ = false;
};

}  // namespace reprise::trace
