// What `reprise analyze` finds, as the page of `reprise report` shows it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "simulate/machine/machine.hpp"
#include "trace/program.hpp"

namespace reprise::cli {

// Adds "findings" and "simulated", the run's efficiencies and critical path, to what a page shows;
// neither where the run cannot be simulated, no findings where it does not come to its end.
void add_findings(nlohmann::ordered_json& data, const trace::Trace& trace,
                  const simulate::Machine& machine);

// Adds "scaling": the efficiencies of several traces of a program. Throws CommandError where one
// cannot be simulated to its end.
void add_scaling(nlohmann::ordered_json& data, const std::vector<std::string>& files,
                 const simulate::Machine& machine);

}  // namespace reprise::cli
