// Collectives as point-to-point messages: what each rank sends and receives, step by step, in the
// algorithms that MPI libraries use (Thakur, Rabenseifner & Gropp 2005), and the choice among them.
// The computation of an operator takes no time.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "simulate/collectives/collective_names.hpp"
#include "simulate/collectives/rounds.hpp"
#include "simulate/lower/action.hpp"
#include "simulate/lower/groups.hpp"

namespace reprise::simulate {

// One rank's part in a collective.
struct CollectiveCall {
  Collective kind{};
  std::int64_t rank = 0, size = 1, root = 0;  // in the communicator
  // What a rank contributes, or all of it where there is one piece (broadcast, reductions) [bytes].
  std::int64_t bytes = 0;
  // By rank, where pieces differ [bytes]: what is sent to each (to each from the root, or of each,
  // where all have all), and what is received from each. Empty: `bytes` each.
  std::vector<std::int64_t> sent = {}, received = {};
  bool is_vector = false;  // pieces may differ, also where this rank knows its own only

  std::int64_t to(std::int64_t r) const {
    return sent.empty() ? bytes : sent[static_cast<std::size_t>(r)];
  }
};

inline bool is_power_of_two(std::int64_t n) {
  return std::has_single_bit(static_cast<std::uint64_t>(n));
}

// The algorithm for a call of `automatic`: MPICH's rules of size and number of ranks, simplified.
Algorithm choose(const CollectiveCall& call);

// The rounds of the calling rank. All ranks of the communicator must use the same algorithm.
// REQUIRES: the call outlives them. Cost: O(1) for each.
Rounds rounds_of(const CollectiveCall& call, Algorithm algorithm);

// The exchange of one process with its neighbors in a topology: pieces by neighbor [bytes].
void plan_neighbors(const mpi::Neighbors& neighbors, const std::vector<std::int64_t>& sent,
                    const Group& group, std::int64_t tag, std::vector<Action>& out);

}  // namespace reprise::simulate
