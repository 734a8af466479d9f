#include "infer/critical_nodes.hpp"

#include <algorithm>
#include <bit>
#include <map>

namespace reprise::infer {
namespace {

// The group of each node: nodes with the same relative peers are in one.
std::vector<std::size_t> group(std::span<const std::vector<std::int64_t>> peers) {
  std::map<std::vector<std::int64_t>, std::size_t> groups;
  std::vector<std::size_t> out;
  for (const auto& p : peers) out.push_back(groups.emplace(p, groups.size()).first->second);
  return out;
}

// The length of the shortest pattern that the nodes repeat.
std::size_t repeating_length(const std::vector<std::size_t>& groups) {
  const std::size_t n = groups.size();
  for (std::size_t length = 1; length < n; ++length) {
    if (n % length != 0) continue;
    bool repeats = true;
    for (std::size_t i = length; i < n && repeats; ++i) repeats = groups[i] == groups[i - length];
    if (repeats) return length;
  }
  return n;
}

}  // namespace

std::optional<std::vector<std::int64_t>> critical_extents(
    std::span<const std::vector<std::int64_t>> peers) {
  if (peers.empty()) return std::nullopt;
  const std::size_t n = peers.size();
  const std::vector<std::size_t> groups = group(peers);
  const std::size_t length = repeating_length(groups);
  std::vector<std::size_t> size(n);
  for (const std::size_t g : groups) ++size[g];
  std::size_t fewest = peers[0].size();
  std::vector<std::size_t> critical;  // those of the first passage of the pattern
  for (std::size_t i = 0; i < length; ++i) {
    if (size[groups[i]] == n / length) critical.push_back(i);
    fewest = std::min(fewest, peers[i].size());
  }
  // Where an extent is three, one node of an edge is as rare as a corner; it has more peers.
  std::erase_if(critical, [&](std::size_t i) { return peers[i].size() > fewest; });
  if (critical.empty() || !std::has_single_bit(critical.size())) return std::nullopt;
  std::vector<std::int64_t> extents;
  std::size_t before = 1;
  for (std::size_t power = 2; power <= critical.size(); power *= 2) {
    const std::size_t nodes = critical[power - 1] + 1;
    if (nodes % before != 0) return std::nullopt;
    extents.push_back(static_cast<std::int64_t>(nodes / before));
    before = nodes;
  }
  // A dimension that wraps without being seen: the pattern repeats along it.
  if (n % before != 0) return std::nullopt;
  if (before < n) extents.push_back(static_cast<std::int64_t>(n / before));
  return extents;
}

}  // namespace reprise::infer
