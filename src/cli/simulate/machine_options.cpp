#include "cli/simulate/machine_options.hpp"

#include "cli/command.hpp"
#include "simulate/machine/machine_file.hpp"

namespace reprise::cli {

void add_machine_file_options(CLI::App& sub, MachineOptions& o) {
  sub.add_option("--machine", o.file, "The machine, in TOML (docs/simulate.md has the keys)");
  sub.add_option("--set", o.settings, "A setting of the machine, such as network.buses=8")
      ->type_name("KEY=VALUE");
}

void add_machine_options(CLI::App& sub, MachineOptions& o) {
  add_machine_file_options(sub, o);
  sub.add_option(
      "--latency", o.latency,
      "Latency of messages, such as 2us (default: 1us); also within nodes, unless set separately");
  sub.add_option("--bandwidth", o.bandwidth,
                 "Bandwidth, such as 10GB/s (default), 100Gb/s or unlimited; also within nodes, "
                 "unless set separately");
  sub.add_option("--cpu-ratio", o.cpu_ratio,
                 "Speed of processors; 2: twice as fast as those of the trace");
  sub.add_option("--eager", o.eager,
                 "Eager threshold: messages up to this size do not wait for their receive: 64KiB "
                 "(default), never");
}

std::vector<simulate::Setting> settings_of(const MachineOptions& o) {
  std::vector<simulate::Setting> out;
  if (!o.file.empty()) out = take(simulate::read_settings(o.file));
  const auto add = [&](const std::string& key, const std::string& value) {
    simulate::Machine scratch;
    if (Status ok = simulate::set(scratch, {key, value}); !ok)
      throw CommandError{ok.error().message, 2};
    out.push_back({key, value});
  };
  if (!o.latency.empty()) add("network.latency", o.latency);
  if (!o.bandwidth.empty()) add("network.bandwidth", o.bandwidth);
  if (!o.cpu_ratio.empty()) add("node.cpu_ratio", o.cpu_ratio);
  if (!o.eager.empty()) add("network.eager", o.eager);
  for (const std::string& setting : o.settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos)
      throw CommandError{
          "'" + setting + "' is not a setting (it has no =); for example network.buses=8", 2};
    add(setting.substr(0, equals), setting.substr(equals + 1));
  }
  return out;
}

simulate::Machine machine_of(const MachineOptions& o) {
  return take(simulate::machine_of(settings_of(o)));
}

}  // namespace reprise::cli
