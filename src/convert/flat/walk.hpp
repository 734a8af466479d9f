// The one walk over the calls of a trace that all exports of flat records make.
#pragma once

#include <functional>

#include "convert/flat/calls.hpp"

namespace reprise::convert {

// Told how many ranks have been walked.
using RanksWalked = std::function<void(std::uint64_t)>;

// What an export could not write.
struct FlatLosses {
  std::uint64_t messages = 0;  // of which no receive is known
};

// Calls `visit(rank, calls)` with the calls of each rank, one rank after the other. Cost: all calls
// of all ranks, as far as `visit` takes them.
template <class Visit>
void for_each_rank(const trace::Trace& trace, const FlatComms& comms, const RanksWalked& progress,
                   const Visit& visit) {
  const simulate::ComputeTimes times(trace, simulate::Compute::mean, 0);
  mpi::GroupNames names;
  for (std::uint64_t rank = 0; rank < trace.ranks; ++rank) {
    FlatCalls calls(trace, rank, times, comms, names);
    visit(rank, calls);
    if (progress) progress(rank + 1);
  }
}

}  // namespace reprise::convert
