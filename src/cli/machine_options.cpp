#include "cli/machine_options.hpp"

#include <algorithm>

#include "cli/command.hpp"
#include "simulate/machine_file.hpp"

namespace reprise::cli {
namespace {

std::string key_of(const std::string& setting) { return setting.substr(0, setting.find('=')); }

// Within a node it is as between nodes, unless somebody says otherwise.
bool follows_network(const MachineOptions& o, const simulate::Machine& machine,
                     const std::string& part) {
  const bool is_said = std::ranges::any_of(
      o.settings, [&](const std::string& s) { return key_of(s) == "node." + part; });
  if (is_said) return false;
  return part == "latency" ? machine.memory.latency == machine.network.latency
                           : machine.memory.inverse_bandwidth == machine.network.inverse_bandwidth;
}

}  // namespace

void add_machine_file_options(CLI::App& sub, MachineOptions& o) {
  sub.add_option("--machine", o.file, "The machine, in TOML (docs/simulate.md has the keys)");
  sub.add_option("--set", o.settings, "One of its settings, as network.buses=8")
      ->type_name("KEY=VALUE");
}

void add_machine_options(CLI::App& sub, MachineOptions& o) {
  add_machine_file_options(sub, o);
  sub.add_option(
      "--latency", o.latency,
      "Of messages: 2us (default: 1us); within nodes too, unless that is said to differ");
  sub.add_option("--bandwidth", o.bandwidth,
                 "Of messages: 10GB/s (default), 100Gb/s, unlimited; within nodes likewise");
  sub.add_option("--cpu-ratio", o.cpu_ratio, "2: processors twice as fast as those of the trace");
  sub.add_option("--eager", o.eager,
                 "Messages up to this size do not wait for their receive: 64KiB (default), never");
}

simulate::Machine machine_of(const MachineOptions& o) {
  simulate::Machine machine;
  if (!o.file.empty()) machine = take(simulate::read_machine(o.file));
  const auto set = [&](const std::string& key, const std::string& value) {
    if (Status ok = simulate::set(machine, key, value); !ok)
      throw CommandError{ok.error().message, 2};
  };
  const auto set_network = [&](const std::string& part, const std::string& value) {
    if (value.empty()) return;
    const bool within = follows_network(o, machine, part);
    set("network." + part, value);
    if (within) set("node." + part, value);
  };
  set_network("latency", o.latency);
  set_network("bandwidth", o.bandwidth);
  if (!o.cpu_ratio.empty()) set("node.cpu_ratio", o.cpu_ratio);
  if (!o.eager.empty()) set("network.eager", o.eager);
  for (const std::string& setting : o.settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos)
      throw CommandError{"'" + setting + "' is no setting (it has no =); write network.buses=8", 2};
    const std::string key = key_of(setting), value = setting.substr(equals + 1);
    if (!value.empty() && (key == "network.latency" || key == "network.bandwidth")) {
      set_network(key.substr(key.find('.') + 1), value);
    } else {
      set(key, value);
    }
  }
  return machine;
}

}  // namespace reprise::cli
