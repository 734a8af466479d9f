// Computation that ranks do not share evenly.
#pragma once

#include <optional>
#include <vector>

#include "diagnose/experiment.hpp"

namespace reprise::diagnose {

// Of each call that two ranks or more compute before, where the slowest exceeds the mean by enough;
// of the greatest excess first, simulated for the first few. Cost: two simulations each.
Result<std::vector<Imbalance>> imbalances_of(const Experiment& experiment);

// Of those that were simulated. Cost: two simulations without steady states for each with single
// long executions.
void find_imbalances(const Experiment& experiment, const std::vector<Imbalance>& imbalances,
                     std::vector<Finding>& out);

// Load balance, as in simulate::Efficiency, if executions that were found to be long took as long
// as the others of their rank. Nothing: none were found.
std::optional<double> balance_without_long_executions(const Experiment& experiment,
                                                      const std::vector<Finding>& findings);

}  // namespace reprise::diagnose
