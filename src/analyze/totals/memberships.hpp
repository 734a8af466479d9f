// What ranks are in the communicators and windows of calls, without a walk through their calls.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analyze/totals/executions.hpp"
#include "trace/cursors/membership.hpp"
#include "trace/series/series.hpp"

namespace reprise::analyze {

// Of all threads of a rank: what one of them makes, all may use. Of more than 2^20 creations the
// first are looked at: as numbers are used again, they have most. Cost: O(threads x nodes x terms +
// objects).
trace::Memberships memberships_of(const trace::Trace& trace, std::uint64_t rank);

// What the peers of a call are relative to, on one stream.
struct PeerRange {
  trace::Membership membership;  // in all of its executions; size 0: unknown, or it varies
  trace::Series sizes;           // of the communicators, if those vary and are known; else empty
};

// The same for all calls and streams, looked up when it is asked for. Where one
// call makes more than 2^12 objects on a stream, and beyond 2^22 objects in all, nothing is known.
// REQUIRES: trace and executions outlive it.
class PeerRanges {
 public:
  PeerRanges(const trace::Trace& trace, Executions& executions)
      : trace_(trace), executions_(executions) {}

  // Whether the call is always in MPI_COMM_WORLD.
  bool is_world(const trace::Call& call) const;
  PeerRange of(std::uint32_t call, std::uint64_t stream);
  // Whether all of the streams have their rank in MPI_COMM_WORLD there, among as many.
  bool is_like_world(std::uint32_t call, const std::vector<std::uint64_t>& streams);

 private:
  struct OfRank {
    bool is_looked_at = false;
    std::optional<trace::Memberships> memberships;
  };

  const trace::Memberships* known(std::uint64_t stream);
  // Takes what the rank makes from what is still looked at. False: that is too much.
  bool reserve(std::uint64_t rank);

  const trace::Trace& trace_;
  Executions& executions_;
  std::vector<OfRank> known_;     // by rank; empty before it is asked for
  std::uint64_t left_ = 1 << 22;  // objects that are still looked at
};

}  // namespace reprise::analyze
