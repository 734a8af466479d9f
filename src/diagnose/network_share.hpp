// What latency and bytes cost that no computation hides.
#pragma once

#include "diagnose/experiment.hpp"

namespace reprise::diagnose {

// Each only where it costs a tenth of the time: no program is without messages. Cost: two
// simulations, if an ideal network saves that much.
Status find_network_share(const Experiment& experiment, Picoseconds ideal_time,
                          std::vector<Finding>& out);

}  // namespace reprise::diagnose
