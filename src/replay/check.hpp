// Whether a trace can be replayed at all: found out before anything is started.
#pragma once

#include <functional>
#include <string>

#include "base/result.hpp"
#include "trace/program.hpp"

namespace reprise::replay {

// Why a function cannot be called; empty: it can.
using Obstacle = std::function<std::string(trace::FunctionId)>;

// Refuses calls with an obstacle, objects that the recorder did not see being made, and ranks that
// never came to MPI_Finalize. Cost: O(nodes + ranks).
Status check(const trace::Trace& trace, const std::string& file, const Obstacle& obstacle);

}  // namespace reprise::replay
