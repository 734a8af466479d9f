#include "convert/dimemas_machine.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "convert/dimemas.hpp"

namespace reprise::convert {
namespace {

double seconds(simulate::Picoseconds time) { return static_cast<double>(time) * 1e-12; }

// [MiB/s], which Dimemas calls MBps; 0: no time at all, there as here.
double mebibytes_per_second(double inverse_bandwidth) {
  return inverse_bandwidth == 0 ? 0 : 1e12 / inverse_bandwidth / (1 << 20);
}

// The mapping by one of Dimemas's own names. Version 5.5 ends with a fault when a configuration
// lists the node of each task.
std::optional<std::string> mapping_of(const std::vector<std::uint32_t>& nodes) {
  const auto per_node = static_cast<std::uint64_t>(std::ranges::count(nodes, 0U));
  const std::uint64_t all = nodes.empty() ? 1 : std::uint64_t{std::ranges::max(nodes)} + 1;
  bool is_block = per_node > 0, is_interleaved = true;
  for (std::uint64_t r = 0; r < nodes.size(); ++r) {
    is_block = is_block && nodes[r] == r / per_node;
    is_interleaved = is_interleaved && nodes[r] == r % all;
  }
  if (is_block) return fmt::format("{} TASKS_PER_NODE", per_node);
  if (is_interleaved) return "INTERLEAVED";
  return std::nullopt;
}

}  // namespace

void write_dimemas_machine(const simulate::Machine& m, std::uint64_t ranks,
                           const std::string& collectives, TextFile& out) {
  const std::vector<std::uint32_t> nodes = m.nodes_of(ranks);
  const std::uint64_t all = nodes.empty() ? 1 : std::uint64_t{std::ranges::max(nodes)} + 1;
  out.line("#DIMEMAS_CONFIGURATION");
  out.line(R"("wide area network information" {{"", 1, 0, 4, 0.0, 0.0, 1}};;)");
  out.line(R"("environment information" {{"", 0, "", {}, {:.17g}, {}, 3}};;)", all,
           mebibytes_per_second(m.network.inverse_bandwidth), m.buses);
  // Within a node: no buses and no links, so that messages do not wait for each other.
  out.line(
      R"("multi node information" {{0, {}, "", {}, {:.17g}, {:.17g}, {:.17g}, 0, 0, 0, {:.17g}, {}, {}, 0.0}};;)",
      all, m.processors, m.cpu_ratio, seconds(m.memory.latency),
      mebibytes_per_second(m.memory.inverse_bandwidth), seconds(m.network.latency), m.input_links,
      m.output_links);
  out.line(R"("predefined mapping information" {{"{}"}};;)", mapping_of(nodes).value_or(""));
  out.line(R"("configuration files" {{"", "", "{}", ""}};;)", collectives);
  out.line(R"("file system parameters" {{0.0, 0.0, 8.0, 0, 1.0}};;)");
}

namespace {

void write_collective(int number, const simulate::DimemasCollective& c, TextFile& out) {
  const auto steps = [](const simulate::Phase& phase) {
    constexpr const char* kNames[] = {"0", "CTE", "LIN", "LOG"};
    return kNames[static_cast<int>(phase.steps)];
  };
  const auto size = [](const simulate::Phase& phase) {
    constexpr const char* kNames[] = {"MIN", "MAX", "MEAN", "2MAX", "S+R"};
    return kNames[static_cast<int>(phase.size)];
  };
  out.line("Machine globalop: 0 {} {} {} {} {}", number, steps(c.fan_in), size(c.fan_in),
           steps(c.fan_out), size(c.fan_out));
}

}  // namespace

void write_dimemas_collectives(const simulate::Machine& m, TextFile& out) {
  for (std::size_t kind = 0; kind < simulate::kCollectiveKinds; ++kind) {
    write_collective(dimemas_number_of(static_cast<simulate::Collective>(kind)), m.dimemas[kind],
                     out);
  }
  write_collective(kMakingAs, {{m.making.steps, simulate::SizeRule::max}, {}}, out);
  write_collective(kFreeAs, {}, out);
}

// Messages wait for their receive from Dimemas's limit on, ours beyond it.
std::string dimemas_options(const simulate::Machine& machine) {
  return fmt::format("-S {}", machine.eager + 1);
}

Status check_dimemas(const simulate::Machine& m, std::uint64_t ranks) {
  if (m.model != simulate::MessageModel::dimemas) {
    return Error{
        "Dimemas has a model of its own (the machine's is another one); leave --set model out"};
  }
  if (!mapping_of(m.nodes_of(ranks))) {
    return Error{
        "Dimemas cannot map ranks to nodes by a list (version 5.5 ends with a fault); choose "
        "--set mapping.kind=block or cyclic"};
  }
  return {};
}

}  // namespace reprise::convert
