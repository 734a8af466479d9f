// Computation that takes longer in one execution than in another, by no order that the trace has.
#pragma once

#include "diagnose/experiment.hpp"

namespace reprise::diagnose {

// The run with times drawn from what was recorded, against the one with means. None: nothing
// varies by enough, or the run is too long, or does not end, with times that vary. Cost: a
// simulation without steady states, and one for each of the calls before which most varies.
std::optional<Variation> variation_of(const Experiment& experiment);

void find_variation(const Experiment& experiment, const Variation& variation,
                    std::vector<Finding>& out);

}  // namespace reprise::diagnose
