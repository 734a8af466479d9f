#include "compress/loops/loop_tree.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "compress/loops/cycles.hpp"
#include "compress/loops/strong_parts.hpp"

namespace reprise::compress {
namespace {

// The loops of the code that some stream repeats, and between and within them cycles of steps of
// which the code says nothing.
class TreeBuilder {
 public:
  TreeBuilder(const FlowGraph& graph, const SiteCode& code, const LoopChoices& choices)
      : graph_(graph), code_(code), choices_(choices), chains_(graph.size()) {
    read_steps();
    find_directly_within();
    // Of the loops around each site, those that are repeated.
    for (std::uint32_t s = 0; s < graph.size(); ++s) {
      for (const std::uint32_t loop : code.loops_around(s)) {
        if (is_repeated_[loop]) chains_[s].push_back(loop);
      }
      if (chains_[s].size() > LoopTree::kMaxNesting) chains_[s].resize(LoopTree::kMaxNesting);
    }
  }

  LoopTree run(const Sites& order) {
    tree_.leaf_of.resize(graph_.size());
    tree_.repeats.resize(graph_.size());
    tree_.items.push_back({});
    tree_.item_of_loop.assign(is_repeated_.size(), 0);
    add_body(0, 0, order);
    for (const auto& [from, to, loop] : repeats_) {
      const std::uint32_t item = tree_.item_of_loop[loop];
      if (item != 0) tree_.repeats[from].emplace_back(to, item);
    }
    tree_.trips.assign(tree_.items.size(), 0);
    for (const auto& [loop, n] : choices_.trips) tree_.trips[tree_.item_of_loop[loop]] = n;
    for (const auto& [loop, wanted] : choices_.run_together) {
      if (const std::uint32_t item = tree_.item_of_loop[loop]; item != 0)
        tree_.run_together[item] = wanted;
    }
    return std::move(tree_);
  }

 private:
  struct Repeat {
    std::uint32_t from, to, loop;
    auto operator<=>(const Repeat&) const = default;
  };

  void read_steps() {
    is_repeated_.assign(code_.parents().size(), false);
    for (std::uint32_t to = 0; to < graph_.size(); ++to) {
      for (const std::uint32_t from : graph_.predecessors(to)) {
        if (from == FlowGraph::kStart) continue;
        StepReading reading = code_.read(from, to);
        if (reading.kind != StepReading::Kind::repeats) continue;
        while (choices_.dissolved.contains(reading.loop))
          reading.loop = code_.parents()[reading.loop];
        is_repeated_[reading.loop] = true;
        repeats_.push_back({from, to, reading.loop});
      }
    }
    std::ranges::sort(repeats_);
  }

  // A loop that is repeated, in a loop that is not, though all its sites lie in the former.
  void find_directly_within() {
    std::map<std::uint32_t, std::size_t> sites_in;
    std::map<std::uint32_t, std::uint32_t> around;
    for (std::uint32_t s = 0; s < graph_.size(); ++s) {
      const auto chain = code_.loops_around(s);
      for (std::size_t i = 0; i < chain.size(); ++i) {
        ++sites_in[chain[i]];
        if (i > 0) around[chain[i]] = chain[i - 1];
      }
    }
    // Inner loops have higher numbers than those around them.
    for (auto i = around.rbegin(); i != around.rend(); ++i) {
      const auto& [inner, outer] = *i;
      if (!is_repeated_[inner] || is_repeated_[outer] || sites_in[inner] != sites_in[outer])
        continue;
      std::size_t& loops = tree_.directly_within[inner];
      for (auto o = around.find(inner); o != around.end() && sites_in[o->second] == sites_in[inner];
           o = around.find(o->second))
        ++loops;
      if (choices_.trips.contains(inner)) is_repeated_[outer] = true;
    }
  }

  bool repeats_a_loop(std::uint32_t from, std::uint32_t to) const {
    const auto found = std::ranges::lower_bound(repeats_, Repeat{from, to, 0});
    return found != repeats_.end() && found->from == from && found->to == to;
  }

  // Lays out sites, which are in program order, in the body of an item that is `depth` loops of the
  // code deep. Recursive: the depth is bounded.
  void add_body(std::uint32_t item, std::size_t depth, const Sites& sites) {
    // A group is a site, or all sites of a loop within.
    std::vector<Sites> groups;
    std::map<std::uint32_t, std::size_t> group_of_loop;
    for (const std::uint32_t s : sites) {
      std::size_t group = groups.size();
      if (chains_[s].size() > depth)
        group = group_of_loop.try_emplace(chains_[s][depth], group).first->second;
      if (group == groups.size()) groups.emplace_back();
      groups[group].push_back(s);
    }
    const auto outside = static_cast<std::uint32_t>(groups.size());
    std::vector<std::uint32_t> group_of(graph_.size(), outside);
    Sites order;
    for (std::uint32_t g = 0; g < outside; ++g) {
      order.push_back(g);
      for (const std::uint32_t s : groups[g]) group_of[s] = g;
    }
    const FlowGraph inner = graph_.contracted(
        groups, group_of,
        [this](std::uint32_t from, std::uint32_t to) { return !repeats_a_loop(from, to); });
    graft(find_cycles(inner, order), item, depth, groups);
  }

  // Puts what was found among groups below an item, and then fills the loops of the code.
  void graft(const LoopTree& part, std::uint32_t item, std::size_t depth,
             const std::vector<Sites>& groups) {
    std::vector<std::uint32_t> here(part.items.size(), item);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> loops;  // group, item
    for (std::uint32_t i = 0; i < part.items.size(); ++i) {
      for (const std::uint32_t child : part.items[i].body) {
        here[child] = tree_.add_item(here[i]);
        const std::uint32_t group = part.items[child].site;
        if (group == LoopTree::kBody) continue;
        const std::uint32_t site = groups[group].front();
        if (chains_[site].size() > depth) {
          tree_.item_of_loop[chains_[site][depth]] = here[child];
          loops.emplace_back(group, here[child]);
          continue;
        }
        tree_.items[here[child]].site = site;
        tree_.leaf_of[site] = here[child];
        for (const auto& [to, body] : part.repeats[group])
          tree_.repeats[site].emplace_back(groups[to].front(), here[body]);
      }
    }
    for (const auto& [group, loop_item] : loops) add_body(loop_item, depth + 1, groups[group]);
  }

  const FlowGraph& graph_;
  const SiteCode& code_;
  const LoopChoices& choices_;
  LoopTree tree_;
  std::vector<bool> is_repeated_;                   // by loop instance
  std::vector<Repeat> repeats_;                     // sorted
  std::vector<std::vector<std::uint32_t>> chains_;  // by site: repeated loops, outer first
};

}  // namespace

std::uint32_t LoopTree::add_item(std::uint32_t parent) {
  const auto item = static_cast<std::uint32_t>(items.size());
  Item& p = items[parent];
  const Item added{.site = kBody,
                   .parent = parent,
                   .position = static_cast<std::uint32_t>(p.body.size()),
                   .depth = p.depth + 1};
  p.body.push_back(item);
  items.push_back(added);
  return item;
}

LoopTree find_loops(const FlowGraph& graph, const SiteCode& code) {
  return find_loops(graph, code, code.in_program_order(graph.order()), {});
}

LoopTree find_loops(const FlowGraph& graph, const SiteCode& code, const Sites& order,
                    const LoopChoices& choices) {
  return TreeBuilder(graph, code, choices).run(order);
}

}  // namespace reprise::compress
