// Barriers that make nobody wait who would not wait anyway.
#pragma once

#include "diagnose/experiment.hpp"

namespace reprise::diagnose {

// Those next to a call that is as good. Cost: O(nodes).
void find_needless_barriers(const Experiment& experiment, std::vector<Finding>& out);

}  // namespace reprise::diagnose
