// The requests of one stream that are pending, named by how many were made after them.
//
// A handle does not name a request: MPICH gives every eagerly completed send the same one, Open MPI
// every request to MPI_PROC_NULL. Of several pending requests with one handle the oldest is meant.
//
// A reader of the trace walks one stream at a time. So requests that the trace does not show (made
// while recording was paused) count in no name, and those that another stream completes count as if
// they were pending still.
#pragma once

#include <cstdint>
#include <vector>

#include "base/flat_map.hpp"

namespace reprise::record {

class PendingRequests {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  // What is known of a receive when it is made.
  struct Receive {
    bool wildcard = false;  // its source or tag is open
    bool nobody = false;    // from MPI_PROC_NULL
    bool untold = false;    // the library does not tell whom it met
  };

  struct Request {
    std::uint64_t handle = 0;
    std::uint64_t id = 0;        // unlike any other's in this table; grows
    std::uint64_t serial = 0;    // recorded ones that were made before it
    std::uint32_t given_up = 0;  // made after it, before the next: completed by other streams
    std::uint64_t claim = 0;     // the look-up that took it last
    std::uint32_t next = kNone;  // the next younger request with the same handle
    std::uint32_t last = kNone;  // the youngest one; valid in the oldest
    Receive receive;
    bool persistent = false;  // stays pending when it completes
    bool recorded = true;     // the call that made it is in the trace
    bool cancel = false;      // the program asked for it to be cancelled

    bool watched() const { return receive.wildcard || cancel; }
  };

  // A request that was found. Requests may come and go before it is looked at again.
  struct Place {
    PendingRequests* table = nullptr;  // null: none
    std::uint32_t slot = kNone;
    std::uint64_t id = 0;
  };

  explicit PendingRequests(int thread) : thread_(thread) {}

  int thread() const { return thread_; }

  void add(std::uint64_t handle, Receive receive, bool persistent, bool recorded);

  // Begins a look-up: within one, no request is found twice.
  void begin_lookup() { ++claim_; }
  // The oldest request with this handle that the look-up has not found yet.
  Place find(std::uint64_t handle);

  // REQUIRES of what follows: the place is in this table. A request that is gone is null, and not
  // removed again.
  const Request* at(const Place& place) { return look(place); }
  // How many pending requests were made after this one. REQUIRES: it is in this table.
  std::int64_t age(const Request& request) const;
  void remove(const Place& place);
  // By another stream than that of this table.
  void give_up(const Place& place);
  void mark_cancel(const Place& place, bool asked);

 private:
  Request* look(const Place& place) {
    if (place.slot < slots_.size() && slots_[place.slot].id == place.id)
      return alive(place.slot) ? &slots_[place.slot] : nullptr;
    return search(place.id);
  }
  Request* search(std::uint64_t id);
  void put(const Request& request);
  void compact();
  bool alive(std::uint32_t slot) const { return alive_[slot / 64] >> (slot % 64) & 1; }

  const int thread_;
  std::vector<Request> slots_;          // in the order in which they were made
  std::vector<std::uint64_t> alive_;    // a bit a slot
  std::vector<std::uint64_t> counted_;  // likewise: alive and recorded
  FlatMap oldest_;                      // handle -> slot
  std::size_t count_ = 0;
  std::uint64_t made_ = 0, recorded_ = 0;
  std::uint64_t given_up_ = 0;  // the sum over the slots
  std::uint64_t claim_ = 0;
};

}  // namespace reprise::record
