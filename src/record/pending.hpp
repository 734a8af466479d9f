// The requests of one stream that are pending, named by how many were made after them.
//
// A handle does not name a request: MPICH gives every eagerly completed send the same one, Open MPI
// every request to MPI_PROC_NULL. Of several pending requests with one handle the oldest is meant.
#pragma once

#include <cstdint>
#include <vector>

#include "base/flat_map.hpp"

namespace reprise::record {

class PendingRequests {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  struct Request {
    std::uint64_t handle = 0;
    bool wildcard = false;       // a receive whose source or tag is open
    bool persistent = false;     // stays pending when it completes
    std::uint32_t claim = 0;     // the look-up that took it last
    std::uint32_t next = kNone;  // the next younger request with the same handle
    std::uint32_t last = kNone;  // the youngest one; valid in the oldest
  };

  void add(std::uint64_t handle, bool wildcard, bool persistent);

  // Begins a look-up: within one, no request is found twice.
  void begin_lookup() { ++claim_; }
  // The slot of the oldest request with this handle that the look-up has not found yet, or kNone.
  std::uint32_t find(std::uint64_t handle);

  // How many pending requests were made after this one.
  std::int64_t age(std::uint32_t slot) const;

  const Request& at(std::uint32_t slot) const { return slots_[slot]; }
  void remove(std::uint32_t slot);

  // Pending receives with a wildcard: none means that no status is needed.
  std::size_t wildcards() const { return wildcards_; }

 private:
  void compact();
  bool alive(std::uint32_t slot) const { return alive_[slot / 64] >> (slot % 64) & 1; }

  std::vector<Request> slots_;        // in the order in which they were made
  std::vector<std::uint64_t> alive_;  // a bit a slot
  FlatMap oldest_;                    // handle -> slot
  std::size_t count_ = 0;
  std::size_t wildcards_ = 0;
  std::uint32_t claim_ = 0;
};

}  // namespace reprise::record
