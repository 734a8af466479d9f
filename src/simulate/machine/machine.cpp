#include "simulate/machine/machine.hpp"

#include <algorithm>
#include <cmath>

namespace reprise::simulate {

std::vector<std::uint32_t> Machine::nodes_of(std::uint64_t ranks) const {
  if (mapping == Mapping::list)
    return {nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(ranks)};
  const auto per_node = static_cast<std::uint64_t>(processors);
  const std::uint64_t count = (ranks + per_node - 1) / per_node;
  std::vector<std::uint32_t> out;
  for (std::uint64_t r = 0; r < ranks; ++r)
    out.push_back(static_cast<std::uint32_t>(mapping == Mapping::block ? r / per_node : r % count));
  return out;
}

void Machine::set_latency(Picoseconds latency) {
  network.latency = latency;
  if (!has_own_latency) memory.latency = latency;
}

void Machine::set_inverse_bandwidth(double inverse_bandwidth) {
  network.inverse_bandwidth = inverse_bandwidth;
  if (!has_own_bandwidth) memory.inverse_bandwidth = inverse_bandwidth;
}

Status Machine::check(std::uint64_t ranks) const {
  for (const Wire* wire : {&network, &memory}) {
    if (wire->latency < 0)
      return Error{"a latency is negative (a message cannot arrive before it is sent); give 0"};
    if (!(wire->inverse_bandwidth >= 0) || !std::isfinite(wire->inverse_bandwidth)) {
      return Error{
          "a bandwidth is zero or negative (no message would ever arrive); give bytes per "
          "second, as in 10GB/s, or `unlimited`"};
    }
  }
  if (!(cpu_ratio > 0) || !std::isfinite(cpu_ratio)) {
    return Error{
        "the CPU ratio is not positive (computation would never end); 2 is a processor twice as "
        "fast as the trace's"};
  }
  if (std::min({overhead, overhead_per_byte, gap}) < 0)
    return Error{"overhead or gap is negative; give 0"};
  if (has_interfaces() && has_contention()) {
    return Error{
        "loggp and loggops have interfaces of ranks, neither links of nodes nor buses; leave out "
        "node.input_links, node.output_links and network.buses, or set model=hockney"};
  }
  if (eager < -1) return Error{"the eager threshold is negative (sizes are bytes); give 0 or more"};
  if (processors < 1) return Error{"a node has no processor (ranks run on them); give 1 or more"};
  if (std::min({buses, input_links, output_links}) < 0)
    return Error{"a number of buses or links is negative; 0 is as many as are needed"};
  if (mapping == Mapping::list && nodes.size() != ranks) {
    return Error{"the list of nodes has " + std::to_string(nodes.size()) +
                 (nodes.size() == 1 ? " entry (the trace has " : " entries (the trace has ") +
                 std::to_string(ranks) +
                 " ranks, and each needs one); write one node for each rank"};
  }
  return {};
}

Machine Machine::with_ideal_network() const {
  Machine out = *this;
  out.network = out.memory = {.latency = 0, .inverse_bandwidth = 0};
  out.overhead = out.overhead_per_byte = out.gap = 0;
  out.buses = out.input_links = out.output_links = 0;
  // Nothing occupies an interface then.
  if (has_interfaces()) out.model = MessageModel::hockney;
  return out;
}

}  // namespace reprise::simulate
