// Whether a trace can be replayed at all: found out before anything is started.
#pragma once

#include <functional>
#include <string>

#include "base/result.hpp"
#include "trace/cursors/call_source.hpp"
#include "trace/program.hpp"

namespace reprise::replay {

// Why a function cannot be called; empty: it can.
using Obstacle = std::function<std::string(trace::FunctionId)>;

// Refuses calls with an obstacle, objects that the recorder did not see being made, and ranks that
// never came to MPI_Finalize, of those from `first` up to `end`. Cost: O(nodes x terms + streams);
// where calls may have such objects, O(nodes x terms x classes of streams that make the same trips)
// and the streams for each of their parameters.
Status check(const trace::Trace& trace, const std::string& file, const Obstacle& obstacle,
             std::uint64_t first, std::uint64_t end);

// Checks one call; `position` is its file and line.
Status check_event(const trace::Event& event, const std::string& position,
                   const Obstacle& obstacle);

// The refusal of a rank that never called MPI_Finalize.
Error no_finalize_error(const std::string& file, std::uint64_t rank);

}  // namespace reprise::replay
