// Machines as files in TOML, and as single settings of a command line: docs/simulate.md has the
// keys.
#pragma once

#include <string>

#include "base/result.hpp"
#include "simulate/machine.hpp"

namespace reprise::simulate {

// Every key that a file leaves out has its default. Unknown keys are errors.
Result<Machine> read_machine(const std::string& path);
// `name` is what error messages call the text.
Result<Machine> parse_machine(const std::string& text, const std::string& name);

// One setting, as "network.latency" and "2us".
Status set(Machine& machine, const std::string& key, const std::string& value);

}  // namespace reprise::simulate
