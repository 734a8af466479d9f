#include "diagnose/network_share.hpp"

#include <algorithm>
#include <cmath>

namespace reprise::diagnose {
namespace {

// What either costs at least: all programs wait a little for their messages.
constexpr double kNotableShare = 0.1;

simulate::Machine without_latency(simulate::Machine machine) {
  machine.network.latency = machine.memory.latency = 0;
  return machine;
}

simulate::Machine without_bytes(simulate::Machine machine) {
  machine.network.inverse_bandwidth = machine.memory.inverse_bandwidth = 0;
  return machine;
}

// What a rank computes between two calls, in the mean.
Picoseconds between_calls(const simulate::Outcome& run) {
  double computed = 0, calls = 0;
  for (const auto& accounts : run.accounts) {
    for (const simulate::Account& a : accounts) {
      computed += static_cast<double>(a.compute);
      calls += static_cast<double>(a.calls);
    }
  }
  return calls > 0 ? std::llround(computed / calls) : 0;
}

}  // namespace

Status find_network_share(const Experiment& experiment, Picoseconds ideal_time,
                          std::vector<Finding>& out) {
  const simulate::Outcome& run = experiment.run();
  const auto least =
      std::max(experiment.least(),
               static_cast<Picoseconds>(kNotableShare * static_cast<double>(run.end.time)));
  if (run.end.time - ideal_time < least) return {};
  const auto find = [&](FindingKind kind, const simulate::Machine& machine,
                        Picoseconds simulate::PathShare::*part) -> Status {
    const auto time = experiment.time_on(machine);
    if (!time) return time.error();
    if (run.end.time - *time < least) return {};
    const auto most = std::ranges::max_element(run.path, {}, part);
    const auto call = static_cast<std::uint32_t>(most - run.path.begin());
    out.push_back({.kind = kind,
                   .call = call,
                   .ranks = experiment.ranks_at(call),
                   .cost = run.end.time - *time,
                   .excess = run.path[call].*part});
    if (kind == FindingKind::latency) {
      out.back().between_calls = between_calls(run);
      out.back().one_latency = experiment.machine().network.latency;
    }
    return {};
  };
  using simulate::PathShare;
  if (Status ok =
          find(FindingKind::latency, without_latency(experiment.machine()), &PathShare::latency);
      !ok)
    return ok;
  return find(FindingKind::bandwidth, without_bytes(experiment.machine()), &PathShare::transfer);
}

}  // namespace reprise::diagnose
