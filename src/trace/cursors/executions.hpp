// How often a stream executes the calls of a trace, and which one last, from sums over the series
// of trips: nothing is walked.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "trace/program.hpp"

namespace reprise::trace {

// How many trips a stream makes in an item, in the first `passes` passes of the body around it.
std::uint64_t trips_of(const Item& item, std::uint64_t stream, std::uint64_t passes);

// How often each call is executed on a stream, by Trace::calls. Cost: O(nodes x terms).
std::vector<std::uint64_t> executions(const Trace& trace, std::uint64_t stream);

// The last call of a stream, as an index into Trace::calls; none: it makes no call.
// Cost: O(nodes x terms x log of the trips).
std::optional<std::uint32_t> last_call(const Trace& trace, std::uint64_t stream);

}  // namespace reprise::trace
