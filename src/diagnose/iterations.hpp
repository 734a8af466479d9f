// The main loop, and computation that changes as it goes on.
#pragma once

#include "diagnose/experiment.hpp"

namespace reprise::diagnose {

// The loop with most of the recorded time, if that is half of it or more. REQUIRES: the trace has
// times. Cost: O(nodes x classes of streams).
std::optional<Iterations> main_loop_of(const trace::Trace& trace);

// Computation whose modes rise or fall steadily from the first execution to the last. Cost: O(paths
// x streams), and a simulation for each of the first few.
Result<std::vector<Drift>> drifts_of(const Experiment& experiment);

void find_drifts(const Experiment& experiment, const std::vector<Drift>& drifts,
                 std::vector<Finding>& out);

}  // namespace reprise::diagnose
