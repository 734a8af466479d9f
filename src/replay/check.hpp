// Whether a trace can be replayed at all: found out before anything is started.
#pragma once

#include <functional>
#include <string>

#include "base/result.hpp"
#include "trace/call_source.hpp"
#include "trace/program.hpp"

namespace reprise::replay {

// Why a function cannot be called; empty: it can.
using Obstacle = std::function<std::string(trace::FunctionId)>;

// Refuses calls with an obstacle, objects that the recorder did not see being made, and ranks that
// never came to MPI_Finalize, of those from `first` up to `end`. Cost: O(nodes + ranks).
Status check(const trace::Trace& trace, const std::string& file, const Obstacle& obstacle,
             std::uint64_t first, std::uint64_t end);

// The same of one call, which stands at a place.
Status check_event(const trace::Event& event, const std::string& place, const Obstacle& obstacle);

// A rank never came to MPI_Finalize.
Error unended(const std::string& file, std::uint64_t rank);

}  // namespace reprise::replay
