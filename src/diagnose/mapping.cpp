// Whether ranks that send each other much could be together on nodes.
#include <algorithm>
#include <numeric>

#include "diagnose/messages.hpp"

namespace reprise::diagnose {
namespace {

// Sets of ranks that grow together, none larger than a node.
class Clusters {
 public:
  Clusters(std::uint64_t ranks, std::uint64_t most) : parent_(ranks), size_(ranks, 1), most_(most) {
    std::iota(parent_.begin(), parent_.end(), 0U);
  }

  std::uint32_t find(std::uint32_t rank) {
    while (parent_[rank] != rank) rank = parent_[rank] = parent_[parent_[rank]];
    return rank;
  }
  void unite(std::uint32_t a, std::uint32_t b) {
    a = find(a);
    b = find(b);
    if (a == b || size_[a] + size_[b] > most_) return;
    parent_[std::max(a, b)] = std::min(a, b);
    size_[std::min(a, b)] += size_[std::max(a, b)];
  }
  std::uint64_t size(std::uint32_t root) const { return size_[root]; }

 private:
  std::vector<std::uint32_t> parent_;
  std::vector<std::uint64_t> size_;
  std::uint64_t most_;
};

struct Gain {
  std::uint32_t a = 0, b = 0;
  double time = 0;
};

// What pairs of ranks would gain within a node, in both directions; most first.
std::vector<Gain> gains_of(const Messages& messages, const simulate::Machine& machine) {
  const auto latency = static_cast<double>(machine.network.latency - machine.memory.latency);
  const double per_byte = machine.network.inverse_bandwidth - machine.memory.inverse_bandwidth;
  std::vector<Gain> out;
  for (const simulate::Traffic& t : messages.pairs) {
    if (t.from == t.to) continue;
    out.push_back(
        {std::min(t.from, t.to), std::max(t.from, t.to),
         latency * static_cast<double>(t.messages) + per_byte * static_cast<double>(t.bytes)});
  }
  const auto pair_of = [](const Gain& g) { return std::pair(g.a, g.b); };
  std::ranges::stable_sort(out, {}, pair_of);
  std::vector<Gain> pairs;
  for (const Gain& g : out) {
    if (!pairs.empty() && pair_of(pairs.back()) == pair_of(g)) {
      pairs.back().time += g.time;
    } else {
      pairs.push_back(g);
    }
  }
  std::ranges::stable_sort(pairs, std::ranges::greater(), &Gain::time);
  return pairs;
}

}  // namespace

std::vector<std::uint32_t> mapping_for(const Messages& messages, const simulate::Machine& machine,
                                       std::uint64_t ranks) {
  const auto most = static_cast<std::uint64_t>(machine.processors);
  Clusters clusters(ranks, most);
  for (const Gain& g : gains_of(messages, machine)) {
    if (g.time > 0) clusters.unite(g.a, g.b);
  }
  // The largest first, each on the first node that has room: no more nodes than before.
  std::vector<std::uint32_t> roots;
  for (std::uint32_t r = 0; r < ranks; ++r) {
    if (clusters.find(r) == r) roots.push_back(r);
  }
  std::ranges::stable_sort(roots, std::ranges::greater(),
                           [&](std::uint32_t r) { return clusters.size(r); });
  std::vector<std::uint64_t> room;
  std::vector<std::uint32_t> node_of(ranks);
  std::size_t first_with_room = 0;
  for (const std::uint32_t root : roots) {
    while (first_with_room < room.size() && room[first_with_room] == 0) ++first_with_room;
    std::size_t node = first_with_room;
    while (node < room.size() && room[node] < clusters.size(root)) ++node;
    if (node == room.size()) room.push_back(most);
    room[node] -= clusters.size(root);
    node_of[root] = static_cast<std::uint32_t>(node);
  }
  for (std::uint32_t r = 0; r < ranks; ++r) node_of[r] = node_of[clusters.find(r)];
  return node_of;
}

Status find_bad_mapping(const Experiment& experiment, const Messages& messages,
                        std::vector<Finding>& out) {
  const simulate::Machine& machine = experiment.machine();
  if (machine.processors <= 1 || messages.nodes <= 1) return {};
  simulate::Machine better = machine;
  better.mapping = simulate::Mapping::list;
  better.nodes = mapping_for(messages, machine, experiment.trace().ranks);
  const auto there = experiment.time_on(better);
  if (!there) return there.error();
  const Picoseconds saved = experiment.run().end.time - *there;
  if (saved < experiment.least()) return {};
  // Those that have most to gain are found where they send.
  std::vector<std::uint64_t> remote(experiment.trace().calls.size());
  const std::vector<std::uint32_t> nodes = machine.nodes_of(experiment.trace().ranks);
  Ranks ranks;
  for (const simulate::Traffic& t : experiment.run().traffic) {
    if (nodes[t.from] == nodes[t.to] || better.nodes[t.from] != better.nodes[t.to]) continue;
    remote[t.call] += t.bytes;
    ranks.insert(ranks.end(), {t.from, t.to});
  }
  std::ranges::sort(ranks);
  const auto rest = std::ranges::unique(ranks);
  ranks.erase(rest.begin(), rest.end());
  const auto call = std::ranges::max_element(remote) - remote.begin();
  out.push_back({.kind = FindingKind::bad_mapping,
                 .call = static_cast<std::uint32_t>(call),
                 .ranks = std::move(ranks),
                 .cost = saved,
                 .culprits = {}});
  return {};
}

}  // namespace reprise::diagnose
