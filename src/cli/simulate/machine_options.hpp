// The options that describe a machine, which `simulate` and `model` share.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

#include "simulate/machine/machine_settings.hpp"

namespace reprise::cli {

struct MachineOptions {
  std::string file;
  std::string latency, bandwidth, cpu_ratio, eager;
  std::vector<std::string> settings;  // KEY=VALUE
};

void add_machine_options(CLI::App& sub, MachineOptions& options);
// The file of a machine and single settings only.
void add_machine_file_options(CLI::App& sub, MachineOptions& options);

// What the options say, in an order in which the later of two stands. Throws CommandError.
std::vector<simulate::Setting> settings_of(const MachineOptions& options);
simulate::Machine machine_of(const MachineOptions& options);

}  // namespace reprise::cli
