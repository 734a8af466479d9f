// How the run ended for each rank.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/program.hpp"

namespace reprise::analyze {

// Ranks, in order.
struct Ends {
  std::vector<std::uint64_t> cut_short;  // made calls, but not MPI_Finalize
  std::vector<std::uint64_t> silent;     // made none that is in the trace
};

// Cost: O(nodes x terms x classes of streams + ranks).
Ends ends_of(const trace::Trace& trace);

}  // namespace reprise::analyze
