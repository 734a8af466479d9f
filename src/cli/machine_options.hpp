// The options that describe a machine, which `simulate` and `model` share.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

#include "simulate/machine.hpp"

namespace reprise::cli {

struct MachineOptions {
  std::string file;
  std::string latency, bandwidth, cpu_ratio, eager;
  std::vector<std::string> settings;  // KEY=VALUE
};

void add_machine_options(CLI::App& sub, MachineOptions& options);
// The file of a machine and single settings only.
void add_machine_file_options(CLI::App& sub, MachineOptions& options);

// Throws CommandError.
simulate::Machine machine_of(const MachineOptions& options);

}  // namespace reprise::cli
