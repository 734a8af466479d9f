// Ranks that receive from most others, or send to most others, one message after the other.
#include <algorithm>
#include <span>

#include "diagnose/messages.hpp"

namespace reprise::diagnose {
namespace {

using simulate::Traffic;

// What one rank exchanges in one direction.
struct Load {
  std::uint64_t peers = 0, bytes = 0;
};

enum class Direction : std::uint8_t { in, out };

std::vector<Load> loads_of(std::span<const Traffic> traffic, std::uint64_t ranks,
                           Direction direction) {
  std::vector<Load> out(ranks);
  for (const Traffic& t : traffic) {
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

// A call whose messages crowd at some ranks.
struct Crowd {
  std::uint32_t call = kNowhere;
  Ranks ranks = {};
  std::uint64_t bytes = 0;  // there
};

// The one with most bytes there; its call is kNowhere if there is none. `traffic` is by call.
Crowd greatest_crowd(const std::vector<Traffic>& traffic, std::uint64_t ranks,
                     Direction direction) {
  Crowd out;
  for (auto begin = traffic.begin(); begin != traffic.end();) {
    const auto end =
        std::find_if(begin, traffic.end(), [&](const Traffic& t) { return t.call != begin->call; });
    const std::vector<Load> loads = loads_of({begin, end}, ranks, direction);
    Crowd crowd{.call = begin->call, .ranks = crowded_ranks(loads)};
    for (const std::uint64_t rank : crowd.ranks) crowd.bytes += loads[rank].bytes;
    if (2 * crowd.ranks.size() <= ranks && crowd.bytes > out.bytes) out = std::move(crowd);
    begin = end;
  }
  return out;
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
    Crowd crowd = greatest_crowd(experiment.run().traffic, trace.ranks, direction);
    if (crowd.call == kNowhere) continue;
    if (!cost) {
      const auto found = cost_of_interfaces(experiment);
      if (!found) return found.error();
      cost = *found;
    }
    if (*cost < experiment.least()) continue;
    out.push_back({.kind = direction == Direction::in ? FindingKind::receiver_contention
                                                      : FindingKind::serialized_fan_out,
                   .call = crowd.call,
                   .ranks = std::move(crowd.ranks),
                   .cost = *cost});
  }
  return {};
}

}  // namespace reprise::diagnose
