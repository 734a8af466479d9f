#include "compress/readings.hpp"

#include <algorithm>
#include <map>

#include "compress/parse.hpp"

namespace reprise::compress {
namespace {

// Of a stream: its first calls, by which readings are compared.
constexpr std::uint64_t kMostSteps = std::uint64_t{1} << 15;

// Where there is little between the two, loops within stay, unless some streams show none: one body
// has to save this part, or may take so much more: a tenth.
constexpr std::uint64_t kMargin = 10;

// What the trips of each item and all below it take [bytes]. Those that are always the same take
// nothing, and so who does not come by, or takes no notice of a loop within, has no say.
std::vector<std::uint64_t> sizes_of(const FoldedStream& stream,
                                    const std::vector<std::uint32_t>& site_of,
                                    const LoopTree& tree) {
  std::vector<std::uint64_t> out;
  for (const trace::Series& trips : parse(stream, site_of, tree, kMostSteps)) {
    ByteWriter bytes;
    if (!trips.empty() && !trips.is_constant()) trips.encode(bytes);
    out.push_back(bytes.size());
  }
  for (std::size_t i = out.size(); i-- > 1;) out[tree.items[i].parent] += out[i];
  return out;
}

}  // namespace

Readings::Readings(const FlowGraph& graph) : graph_(graph), nested_(find_loops(graph)) {
  std::map<std::uint32_t, std::size_t> loop_of;  // by item
  std::vector<std::set<Sites>> at_depth;
  for (const LoopTree::Ambiguous& a : nested_.ambiguous) {
    Loop loop{.sites = a.sites, .may_be_passes = a.may_be_passes, .nested_item = a.item};
    for (std::uint32_t i = a.item; i != 0;) {
      i = nested_.items[i].parent;
      const auto around = loop_of.find(i);
      if (around == loop_of.end()) continue;
      loop.parent = around->second;
      loop.depth = loops_[loop.parent].depth + 1;
      break;
    }
    const bool is_known = std::ranges::find(loops_, a.sites, &Loop::sites) != loops_.end();
    if (is_known || loops_.size() == kMaxLoops || loop.depth >= kMaxNested) continue;
    loop_of[a.item] = loops_.size();
    if (at_depth.size() <= loop.depth) at_depth.resize(loop.depth + 1);
    at_depth[loop.depth].insert(loop.sites);
    loops_.push_back(std::move(loop));
  }
  for (const std::set<Sites>& flat : at_depth) {
    const LoopTree& tree = flat_.emplace_back(find_loops(graph, flat));
    for (const LoopTree::Ambiguous& a : tree.ambiguous) {
      const auto loop = std::ranges::find(loops_, a.sites, &Loop::sites);
      if (loop != loops_.end() && loop->depth + 1 == flat_.size()) loop->flat_item = a.item;
    }
  }
}

Readings::Costs Readings::costs(const FoldedStream& stream,
                                const std::vector<std::uint32_t>& site_of) const {
  Costs out{};
  if (loops_.empty() || stream.sites.empty()) return out;
  const std::vector<std::uint64_t> nested = sizes_of(stream, site_of, nested_);
  std::vector<std::vector<std::uint64_t>> flat;
  for (const LoopTree& tree : flat_) flat.push_back(sizes_of(stream, site_of, tree));
  for (std::size_t i = 0; i < loops_.size(); ++i) {
    out[2 * i] = nested[loops_[i].nested_item];
    out[2 * i + 1] = flat[loops_[i].depth][loops_[i].flat_item];
  }
  return out;
}

LoopTree Readings::choose(const Costs& costs) const {
  std::vector<std::uint64_t> saved(loops_.size(), 0);  // in the loops within
  std::set<Sites> chosen;
  for (std::size_t i = loops_.size(); i-- > 0;) {
    const std::uint64_t nested = costs[2 * i] - std::min(costs[2 * i], saved[i]);
    const std::uint64_t margin = nested / kMargin;
    const bool is_flat =
        costs[2 * i + 1] < (loops_[i].may_be_passes ? nested + margin : nested - margin);
    const std::uint64_t least = is_flat ? costs[2 * i + 1] : nested;
    if (is_flat) chosen.insert(loops_[i].sites);
    if (loops_[i].depth > 0)
      saved[loops_[i].parent] += costs[2 * i] - std::min(costs[2 * i], least);
  }
  return chosen.empty() ? nested_ : find_loops(graph_, chosen);
}

}  // namespace reprise::compress
