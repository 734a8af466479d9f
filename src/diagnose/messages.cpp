#include "diagnose/messages.hpp"

#include <algorithm>
#include <map>

#include "base/hash.hpp"

namespace reprise::diagnose {
namespace {

using simulate::Traffic;

// All calls together.
std::vector<Traffic> pairs_of(std::vector<Traffic> traffic) {
  std::ranges::sort(traffic, {}, [](const Traffic& t) { return std::pair(t.from, t.to); });
  std::vector<Traffic> out;
  for (const Traffic& t : traffic) {
    if (out.empty() || out.back().from != t.from || out.back().to != t.to)
      out.push_back({kNowhere, t.from, t.to, 0, 0});
    out.back().messages += t.messages;
    out.back().bytes += t.bytes;
  }
  return out;
}

// Ranks are alike that have as many peers, with as many messages and bytes to and from each.
std::vector<std::size_t> groups_by_rank(const std::vector<Traffic>& pairs, std::uint64_t ranks,
                                        std::vector<Ranks>& groups) {
  std::vector<std::vector<std::uint64_t>> ends(ranks);
  for (const Traffic& t : pairs) {
    const std::uint64_t amount = combine(t.messages, t.bytes);
    ends[t.from].push_back(combine(amount, 0));
    ends[t.to].push_back(combine(amount, 1));
  }
  std::map<std::uint64_t, std::size_t> known;
  std::vector<std::size_t> out;
  for (std::uint64_t r = 0; r < ranks; ++r) {
    std::ranges::sort(ends[r]);
    std::uint64_t hash = ends[r].size();
    for (const std::uint64_t end : ends[r]) hash = combine(hash, end);
    const auto [at, is_new] = known.try_emplace(hash, groups.size());
    if (is_new) groups.emplace_back();
    groups[at->second].push_back(r);
    out.push_back(at->second);
  }
  return out;
}

std::vector<TrafficBlock> blocks_of(const std::vector<Traffic>& pairs,
                                    const std::vector<std::size_t>& group_of) {
  std::map<std::pair<std::size_t, std::size_t>, TrafficBlock> blocks;
  for (const Traffic& t : pairs) {
    const std::size_t from = group_of[t.from], to = group_of[t.to];
    TrafficBlock& block = blocks[{from, to}];
    block.from = from;
    block.to = to;
    ++block.pairs;
    block.messages += t.messages;
    block.bytes += t.bytes;
  }
  std::vector<TrafficBlock> out;
  for (const auto& [key, block] : blocks) out.push_back(block);
  std::ranges::stable_sort(out, std::ranges::greater(),
                           [](const TrafficBlock& b) { return std::pair(b.bytes, b.messages); });
  return out;
}

}  // namespace

Messages messages_of(const simulate::Outcome& run, const simulate::Machine& machine,
                     std::uint64_t ranks) {
  Messages out;
  out.pairs = pairs_of(run.traffic);
  const std::vector<std::uint32_t> nodes = machine.nodes_of(ranks);
  for (const std::uint32_t n : nodes) out.nodes = std::max<std::uint64_t>(out.nodes, n + 1);
  for (const Traffic& t : out.pairs) {
    out.messages += t.messages;
    out.bytes += t.bytes;
    if (nodes[t.from] != nodes[t.to]) continue;
    out.local_messages += t.messages;
    out.local_bytes += t.bytes;
  }
  const std::vector<std::size_t> group_of = groups_by_rank(out.pairs, ranks, out.groups);
  out.blocks = blocks_of(out.pairs, group_of);
  return out;
}

}  // namespace reprise::diagnose
