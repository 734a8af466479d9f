// The time that a run would gain if a part of its critical path took less time.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "simulate/results/result.hpp"

namespace reprise::simulate {

struct Change {
  enum class Kind : std::uint8_t {
    half_latency,
    double_bandwidth,
    even_computation_here,  // before the call `where`, each rank computes as much as in the mean
    even_computation,       // of all calls together
    no_contention,          // as many buses and links as there are transfers
    all_eager,              // no sender waits for its receive
    faster_processors,      // twice as fast
    no_serialization,       // no rank waits for computation of others; cannot be simulated
  };
  static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};

  Kind kind{};
  // Index into Trace::calls: that has most of what the change saves on the critical path.
  std::uint32_t where = kNowhere;
  // How much earlier the run would end, by its critical path [ps]; it cannot be more unless
  // Outcome::in_order. None: the path does not determine it.
  std::optional<Picoseconds> estimate = {};
  // How much earlier it ends, simulated; negative: later [ps].
  std::optional<Picoseconds> saves = {};
  // Of even_computation_here: the stream that computes most there, its computation and the mean of
  // the participating streams [ps].
  std::uint64_t stream = 0;
  Picoseconds most = 0, mean = 0;
};

// The changes that apply to a run, those with the greatest estimate first, and at most `sites` call
// sites. Where the order of time does not matter the time is a maximum of sums, so that the
// critical path, with what is left of it after the change, is still to be waited for. `ideal`: the
// same run on Machine::with_ideal_network(). REQUIRES: runs that came to no deadlock, the first
// with paths. Cost: O(calls x streams) time.
std::vector<Change> changes_for(const Machine& machine, const Outcome& run, const Outcome& ideal,
                                std::size_t sites);

// Simulates each change alone, and orders them by what they save. Cost: a simulation for each.
Status try_changes(const trace::Trace& trace, const Machine& machine, const Options& options,
                   const Outcome& run, std::vector<Change>& changes);

}  // namespace reprise::simulate
