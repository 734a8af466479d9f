// Machines as files in TOML; docs/simulate.md has the keys.
#pragma once

#include <string>
#include <vector>

#include "simulate/machine/machine_settings.hpp"

namespace reprise::simulate {

// The settings of a file, which are valid. Unknown keys are errors.
Result<std::vector<Setting>> read_settings(const std::string& path);
// `name` is the name of the text in error messages.
Result<std::vector<Setting>> parse_settings(const std::string& text, const std::string& name);
// Every key that the text leaves out has its default.
Result<Machine> parse_machine(const std::string& text, const std::string& name);

}  // namespace reprise::simulate
