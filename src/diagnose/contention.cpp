// Ranks that receive from most others, or send to most others, one message after the other.
#include <algorithm>

#include "diagnose/messages.hpp"

namespace reprise::diagnose {
namespace {

using simulate::Traffic;

// What one rank exchanges in one direction.
struct Load {
  std::uint64_t peers = 0, bytes = 0;
};

enum class Direction : std::uint8_t { in, out };

std::vector<Load> loads_of(const Messages& messages, std::uint64_t ranks, Direction direction) {
  std::vector<Load> out(ranks);
  for (const Traffic& t : messages.pairs) {
    Load& load = out[direction == Direction::in ? t.to : t.from];
    load.peers += t.from != t.to;
    load.bytes += t.bytes;
  }
  return out;
}

// Those with at least half of the other ranks as peers, and three times the median of bytes.
Ranks crowded_ranks(const std::vector<Load>& loads) {
  constexpr std::uint64_t kTimesMedian = 3;
  std::vector<std::uint64_t> bytes;
  for (const Load& load : loads) bytes.push_back(load.bytes);
  std::ranges::nth_element(bytes, bytes.begin() + std::ssize(bytes) / 2);
  const std::uint64_t median = bytes[bytes.size() / 2];
  Ranks out;
  for (std::uint64_t r = 0; r < loads.size(); ++r) {
    if (loads[r].peers >= 3 && 2 * loads[r].peers >= loads.size() - 1 &&
        loads[r].bytes >= kTimesMedian * std::max<std::uint64_t>(1, median))
      out.push_back(r);
  }
  return out;
}

// The call that sends most bytes to these ranks, or from them.
std::uint32_t busiest_call(const std::vector<Traffic>& traffic, const Ranks& ranks,
                           Direction direction, std::size_t calls) {
  std::vector<std::uint64_t> bytes(calls);
  for (const Traffic& t : traffic) {
    const std::uint64_t rank = direction == Direction::in ? t.to : t.from;
    if (std::ranges::binary_search(ranks, rank)) bytes[t.call] += t.bytes;
  }
  return static_cast<std::uint32_t>(std::ranges::max_element(bytes) - bytes.begin());
}

// What the run takes longer if each rank has one message at a time than if messages do not stand
// in each other's way.
Result<Picoseconds> cost_of_interfaces(const Experiment& experiment) {
  simulate::Machine one = experiment.machine();
  if (!one.has_interfaces() && !one.has_contention()) one.model = simulate::MessageModel::loggp;
  simulate::Machine free = one;
  free.buses = free.input_links = free.output_links = 0;
  if (free.has_interfaces()) free.model = simulate::MessageModel::hockney;
  const auto with = experiment.time_on(one);
  if (!with) return with.error();
  const auto without = experiment.time_on(free);
  if (!without) return without.error();
  return *with - *without;
}

}  // namespace

Status find_contention(const Experiment& experiment, const Messages& messages,
                       std::vector<Finding>& out) {
  const trace::Trace& trace = experiment.trace();
  if (trace.threads > 1 || trace.ranks < 4 || messages.pairs.empty()) return {};
  std::optional<Picoseconds> cost;
  for (const Direction direction : {Direction::in, Direction::out}) {
    const Ranks ranks = crowded_ranks(loads_of(messages, trace.ranks, direction));
    if (ranks.empty() || 2 * ranks.size() > trace.ranks) continue;
    if (!cost) {
      const auto found = cost_of_interfaces(experiment);
      if (!found) return found.error();
      cost = *found;
    }
    if (*cost < experiment.least()) continue;
    out.push_back(
        {.kind = direction == Direction::in ? FindingKind::receiver_contention
                                            : FindingKind::serialized_fan_out,
         .call = busiest_call(experiment.run().traffic, ranks, direction, trace.calls.size()),
         .ranks = ranks,
         .cost = *cost,
         .culprits = {}});
  }
  return {};
}

}  // namespace reprise::diagnose
