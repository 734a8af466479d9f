// The pending requests of one stream: found by where the program keeps their handles, and named by
// how many were made after them.
//
// A handle does not identify a request: MPICH gives every send that completes at once the same
// handle, Open MPI every request to MPI_PROC_NULL. The address of the handle does, as long as the
// program leaves it there. A request whose handle was copied elsewhere is looked for among those
// with that handle: first those whose own variable holds it no longer, then all, the oldest first.
//
// A reader of the trace walks one stream at a time. So requests that the trace does not show (made
// while recording was paused) count in no name, and those that another stream completes count as if
// they were pending still.
#pragma once

#include <cstdint>
#include <vector>

#include "base/flat_map.hpp"
#include "record/calls/stack_slot.hpp"

namespace reprise::record {

// A variable of the program that holds the handle of a request.
struct Home {
  std::uintptr_t address = 0;  // 0: unknown
  bool is_fortran = false;     // an MPI_Fint rather than an MPI_Request
  StackSlot frame;             // of the function whose local variable it is, if it is one
};

// What PendingRequests asks about the program's memory.
class HomeInspector {
 public:
  // Whether the function whose local variable this is has not returned yet; true if unknown.
  virtual bool is_alive(const Home& home) = 0;
  // Whether the variable, if its memory exists still, holds the handle.
  virtual bool holds(const Home& home, std::uint64_t handle) = 0;

 protected:
  ~HomeInspector() = default;
};

class PendingRequests {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  // What is known of a receive when it is posted.
  struct Receive {
    bool wildcard = false;  // its source or tag is open
    bool nobody = false;    // from MPI_PROC_NULL
    bool untold = false;    // the MPI library does not tell the matched source
  };

  struct Request {
    std::uint64_t handle = 0;
    Home home;                       // address 0: the program keeps the handle elsewhere by now
    std::uint64_t id = 0;            // unlike any other's in this table; grows
    std::uint64_t serial = 0;        // recorded ones that were made before it
    std::uint32_t given_up = 0;      // made after it, before the next: completed by other streams
    std::uint64_t claim = 0;         // the look-up that took it last
    std::uint32_t next = kNone;      // the next younger request with the same handle, and
    std::uint32_t previous = kNone;  // the next older one; valid if is_chained_
    Receive receive;
    bool persistent = false;  // stays pending when it completes
    bool recorded = true;     // the call that made it is in the trace
    bool started = false;     // persistent and active, and the call that started it is in the trace
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

  // A call stored the handle at `home`; what was kept there before is kept elsewhere, if at all.
  void add(std::uint64_t handle, const Home& home, Receive receive, bool persistent, bool recorded);

  // Begins a look-up: within one, no request is found twice.
  void begin_lookup();
  // The request whose handle the program keeps at this address. Cost: one look-up in a hash table.
  Place find_at(std::uint64_t handle, std::uintptr_t address, HomeInspector& inspector);
  // A request with this handle that the look-up has not found yet, when none is kept where the
  // program has the handle now. That is its home from here on, unless its address is 0.
  Place find_moved(std::uint64_t handle, const Home& now, HomeInspector& inspector);

  // REQUIRES of what follows: the place is in this table. A request that is gone is null, and not
  // removed again.
  const Request* at(const Place& place) { return look(place); }
  // How many pending requests were made after this one. REQUIRES: it is in this table.
  std::int64_t age(const Request& request) const;
  void remove(const Place& place);
  // By another stream than that of this table.
  void give_up(const Place& place);
  void mark_cancel(const Place& place, bool asked);
  void mark_started(const Place& place, bool recorded);

 private:
  // Variables whose contents a look-up reads: beyond that all are taken to hold their handles.
  static constexpr int kMaxReads = 64;

  Request* look(const Place& place) {
    if (place.slot < slots_.size() && slots_[place.slot].id == place.id)
      return alive(place.slot) ? &slots_[place.slot] : nullptr;
    return search(place.id);
  }
  Request* search(std::uint64_t id);
  void put(const Request& request);
  void compact();
  void move_in(std::uint32_t slot, const Home& home);
  void move_out(std::uint32_t slot);
  void chain_all();
  void chain(std::uint32_t slot);
  void unchain(std::uint32_t slot);
  bool is_at_home(std::uint32_t slot, HomeInspector& inspector);
  Place claim(std::uint32_t slot);
  bool alive(std::uint32_t slot) const { return alive_[slot / 64] >> (slot % 64) & 1; }

  const int thread_;
  std::vector<Request> slots_;          // in the order in which they were made
  std::vector<std::uint64_t> alive_;    // a bit a slot
  std::vector<std::uint64_t> counted_;  // likewise: alive and recorded
  FlatMap at_home_;                     // address -> slot of the request that lives there
  // By handle, in the order in which they were made; kept from the first call of find_moved on,
  // which most programs never make.
  bool is_chained_ = false;
  FlatMap oldest_, youngest_;  // handle -> slot
  std::size_t count_ = 0;
  std::uint64_t made_ = 0, recorded_ = 0;
  std::uint64_t given_up_ = 0;  // the sum over the slots
  std::uint64_t claim_ = 0;
  int reads_ = 0;  // of the present look-up
  // Where the last find_moved found that all older ones with the handle are claimed.
  std::uint64_t resume_handle_ = 0;
  std::uint32_t resume_ = kNone;
};

}  // namespace reprise::record
