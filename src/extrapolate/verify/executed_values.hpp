// The executions of each call on each rank, regardless of order: the values of some of its columns,
// and the number of times that each combination occurs. Loops are not expanded where nothing varies
// in them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "extrapolate/inputs/budget.hpp"
#include "trace/program.hpp"

namespace reprise::extrapolate {

// Executions of a call by a rank that have the same values.
struct Visit {
  std::uint32_t call = 0;  // index into Trace::calls
  std::int64_t rank = 0;
  std::uint64_t times = 0;               // at least 1
  std::span<const std::int64_t> values;  // as they are written, by the columns asked for
};

// Which scalars of each call are asked for; none: its executions are not visited.
using AskedColumns = std::vector<std::vector<std::size_t>>;

// Rank by rank; of each rank, call by call. False if the budget, of visits and steps along series,
// did not last. Cost: O(ranks x
// nodes), and the values of series that vary, once for all ranks that share them.
// REQUIRES: one thread a rank.
bool visit_calls(const trace::Trace& trace, const AskedColumns& asked, Budget& budget,
                 const std::function<void(const Visit&)>& visit);

// How often each rank executes each call, rank by rank. Cost: O(ranks x nodes).
void visit_counts(
    const trace::Trace& trace,
    const std::function<void(std::int64_t rank, const std::vector<std::uint64_t>& times)>& visit);

}  // namespace reprise::extrapolate
