// The settings of a machine, each a key and a value as on a command line; docs/simulate.md has the
// keys.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "simulate/machine/machine.hpp"

namespace reprise::simulate {

// As "network.latency" and "2us".
struct Setting {
  std::string key, value;
};

Status set(Machine& machine, const Setting& setting);

// The machine that has these settings, the later of two where they contradict each other, and
// defaults for the others. What is said of a node stands, whatever the order.
Result<Machine> machine_of(const std::vector<Setting>& settings);

}  // namespace reprise::simulate
