#include "simulate/results/what_if.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "simulate/results/efficiency.hpp"

namespace reprise::simulate {
namespace {

using Kind = Change::Kind;

Picoseconds part_of(Picoseconds whole, double share) {
  return std::llround(static_cast<double>(whole) * share);
}

// The call with most of something on the critical path; kNowhere if none has any.
template <class Part>
std::uint32_t most_on_path(const Outcome& run, Part part) {
  std::uint32_t out = Change::kNowhere;
  Picoseconds most = 0;
  for (std::uint32_t c = 0; c < run.path.size(); ++c) {
    if (part(run.path[c]) <= most) continue;
    most = part(run.path[c]);
    out = c;
  }
  return out;
}

// The call at which ranks wait longest, all together; kNowhere if none waits.
std::uint32_t most_waiting(const Outcome& run) {
  if (run.accounts.empty()) return Change::kNowhere;
  std::vector<Picoseconds> waiting(run.accounts.front().size());
  for (const auto& calls : run.accounts) {
    for (std::size_t c = 0; c < calls.size(); ++c) waiting[c] += calls[c].waiting;
  }
  const auto most = std::ranges::max_element(waiting);
  if (most == waiting.end() || *most == 0) return Change::kNowhere;
  return static_cast<std::uint32_t>(most - waiting.begin());
}

std::vector<Change> even_sites(const Outcome& run, std::size_t sites) {
  std::vector<Change> out;
  for (std::uint32_t c = 0; c < run.path.size(); ++c) {
    if (run.path[c].compute <= 0) continue;
    Change change{.kind = Kind::even_computation_here, .where = c};
    Picoseconds sum = 0;
    std::int64_t taking_part = 0;
    for (std::uint64_t s = 0; s < run.accounts.size(); ++s) {
      const Picoseconds own = run.accounts[s][c].compute;
      taking_part += own > 0;
      sum += own;
      if (own <= change.most) continue;
      change.most = own;
      change.stream = s;
    }
    if (taking_part < 2) continue;
    change.mean = sum / taking_part;
    change.estimate = part_of(run.path[c].compute, 1 - static_cast<double>(change.mean) /
                                                           static_cast<double>(change.most));
    if (*change.estimate > 0) out.push_back(change);
  }
  std::ranges::stable_sort(out, std::ranges::greater(), &Change::estimate);
  out.resize(std::min(out.size(), sites));
  return out;
}

// That make of what each stream computes what they do in the mean that compute at all.
std::vector<double> evening(const std::vector<Picoseconds>& computed) {
  const auto taking_part = std::ranges::count_if(computed, [](Picoseconds c) { return c > 0; });
  double mean = 0;
  for (const Picoseconds c : computed)
    mean += static_cast<double>(c) / static_cast<double>(taking_part);
  std::vector<double> out;
  for (const Picoseconds c : computed) out.push_back(c > 0 ? mean / static_cast<double>(c) : 1);
  return out;
}

void apply(const Change& change, const Outcome& run, Machine& machine, Options& options) {
  switch (change.kind) {
    case Kind::half_latency:
      machine.network.latency /= 2;
      if (!machine.has_own_latency) machine.memory.latency /= 2;
      break;
    case Kind::double_bandwidth:
      machine.network.inverse_bandwidth /= 2;
      if (!machine.has_own_bandwidth) machine.memory.inverse_bandwidth /= 2;
      break;
    case Kind::even_computation_here: {
      std::vector<Picoseconds> computed;
      for (const auto& calls : run.accounts) computed.push_back(calls[change.where].compute);
      options.factors.resize(change.where + 1);
      options.factors[change.where] = evening(computed);
      break;
    }
    case Kind::even_computation:
      options.factors.assign(run.path.size(), evening(computation_of(run)));
      break;
    case Kind::no_contention:
      machine.buses = machine.input_links = machine.output_links = 0;
      if (machine.has_interfaces()) machine.model = MessageModel::hockney;
      break;
    case Kind::all_eager: machine.eager = Machine::kAllEager; break;
    case Kind::faster_processors: machine.cpu_ratio *= 2; break;
    case Kind::no_serialization: break;
  }
}

}  // namespace

std::vector<Change> changes_for(const Machine& machine, const Outcome& run, const Outcome& ideal,
                                std::size_t sites) {
  std::vector<Change> out = even_sites(run, sites);
  const bool is_uneven = !out.empty();
  const Picoseconds half = machine.network.latency - machine.network.latency / 2;
  if (const Picoseconds saved = run.end.latencies * half; saved > 0) {
    out.push_back({.kind = Kind::half_latency,
                   .where = most_on_path(run, [](const PathShare& s) { return s.latency; }),
                   .estimate = saved});
  }
  if (const Picoseconds saved = part_of(run.end.bytes, machine.network.inverse_bandwidth / 2);
      saved > 0) {
    out.push_back({.kind = Kind::double_bandwidth,
                   .where = most_on_path(run, [](const PathShare& s) { return s.transfer; }),
                   .estimate = saved});
  }
  const std::vector<Picoseconds> computed = computation_of(ideal);
  const Picoseconds most = std::ranges::max(computed);
  if (const Picoseconds saved = ideal.end.time - most; saved > 0)
    out.push_back(
        {.kind = Kind::no_serialization, .where = most_waiting(ideal), .estimate = saved});
  Picoseconds on_path = 0;
  for (const PathShare& s : run.path) on_path += s.compute;
  if (on_path > 0) {
    out.push_back({.kind = Kind::faster_processors,
                   .where = most_on_path(run, [](const PathShare& s) { return s.compute; }),
                   .estimate = on_path / 2});
  }
  std::ranges::stable_sort(out, std::ranges::greater(), &Change::estimate);
  if (is_uneven) out.push_back({.kind = Kind::even_computation});
  if (machine.has_contention() || machine.has_interfaces())
    out.push_back({.kind = Kind::no_contention});
  if (machine.eager < Machine::kAllEager) out.push_back({.kind = Kind::all_eager});
  return out;
}

Status try_changes(const trace::Trace& trace, const Machine& machine, const Options& options,
                   const Outcome& run, std::vector<Change>& changes) {
  for (Change& change : changes) {
    if (change.kind == Kind::no_serialization) continue;
    Machine changed = machine;
    Options plain = options;
    plain.paths = false;
    plain.observer = nullptr;
    apply(change, run, changed, plain);
    const auto there = simulate(trace, changed, plain);
    if (!there) return there.error();
    if (there->blocked.empty()) change.saves = run.end.time - there->end.time;
  }
  std::ranges::stable_sort(changes, std::ranges::greater(), &Change::saves);
  return {};
}

}  // namespace reprise::simulate
