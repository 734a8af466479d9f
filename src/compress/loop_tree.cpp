#include "compress/loop_tree.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "compress/strong_parts.hpp"

namespace reprise::compress {
namespace {

// Loops within loops beyond this are laid out flat. Far below what a reader of traces takes, since
// branches add items of their own.
constexpr std::uint32_t kMaxNesting = 64;
// How often each edge is looked at, on average, before what is left is laid out flat.
constexpr std::uint64_t kMaxLooks = 64;
// Innermost latches beyond which loops with one header are not told apart.
constexpr std::size_t kMaxOuter = 64;

// Puts another item behind the body of `parent`.
std::uint32_t add_item(LoopTree& tree, std::uint32_t parent) {
  const auto item = static_cast<std::uint32_t>(tree.items.size());
  LoopTree::Item& p = tree.items[parent];
  const LoopTree::Item fresh{.site = LoopTree::kBody,
                             .parent = parent,
                             .position = static_cast<std::uint32_t>(p.body.size()),
                             .depth = p.depth + 1};
  p.body.push_back(item);
  tree.items.push_back(fresh);
  return item;
}

// Loops of a graph by its edges alone, of the nodes that `order` has.
class CycleFinder {
 public:
  CycleFinder(const FlowGraph& graph, Sites order)
      : graph_(graph), order_(std::move(order)), strong_(graph.size()) {
    const std::size_t n = graph.size();
    successors_.resize(n);
    rank_.resize(n);
    member_.assign(n, 0);
    seen_.assign(n, 0);
    part_of_.assign(n, 0);
    begins_.assign(n, false);
    repeats_.assign(n, false);
    for (std::uint32_t s = 0; s < n; ++s) {
      arrivals_.push_back(graph.predecessors(s));
      for (const std::uint32_t p : arrivals_[s]) {
        if (p != FlowGraph::kStart) successors_[p].push_back(s);
      }
    }
    for (std::uint32_t i = 0; i < order_.size(); ++i) rank_[order_[i]] = i;
    departures_ = successors_;
    looks_left_ = kMaxLooks * looks_at(order_);
  }

  LoopTree run() {
    tree_.leaf_of.resize(graph_.size());
    tree_.repeats.resize(graph_.size());
    tree_.items.push_back({});
    add_body(0, order_);
    return std::move(tree_);
  }

 private:
  // Lays out the sites of one body: its strongly connected parts in topological order, each a call
  // or a loop. Works on the edges that are left between these sites. Iterative: nesting is bounded
  // by the program's, but programs are other people's.
  void add_body(std::uint32_t root, Sites root_sites) {
    struct Task {
      std::uint32_t item;
      Sites sites;
    };
    std::vector<Task> tasks;
    tasks.push_back({root, std::move(root_sites)});
    while (!tasks.empty()) {
      Task task = std::move(tasks.back());
      tasks.pop_back();
      const std::uint64_t looks = looks_at(task.sites);
      if (tree_.items[task.item].depth >= kMaxNesting || looks > looks_left_) {
        add_flat_body(task.item, std::move(task.sites));
        continue;
      }
      looks_left_ -= looks;
      for (Sites& part : ordered_parts(task.sites)) {
        if (part.size() == 1) {
          add_call(task.item, part.front());
          continue;
        }
        const std::uint32_t item = add_item(tree_, task.item);
        mark(part);
        if (!cut_behind_end(part)) cut_back_edges(part);
        tasks.push_back({item, std::move(part)});
      }
    }
  }

  // Calls in the order of their first execution, whatever leads to what.
  void add_flat_body(std::uint32_t item, Sites sites) {
    std::ranges::sort(sites, {}, [this](std::uint32_t s) { return rank_[s]; });
    for (const std::uint32_t s : sites) add_call(item, s);
  }

  void add_call(std::uint32_t parent, std::uint32_t site) {
    const std::uint32_t item = add_item(tree_, parent);
    tree_.items[item].site = site;
    if (repeats_[site]) tree_.repeats[site].emplace_back(site, parent);
    tree_.leaf_of[site] = item;
  }

  std::uint64_t looks_at(const Sites& sites) const {
    std::uint64_t n = 0;
    for (const std::uint32_t s : sites) n += graph_.ways_of(s) + successors_[s].size() + 1;
    return n;
  }

  void mark(const Sites& sites) {
    ++mark_;
    for (const std::uint32_t s : sites) member_[s] = mark_;
  }

  // REQUIRES: the sites are marked, and no others.
  std::vector<Sites> strong_parts(const Sites& sites) {
    std::vector<Sites> parts =
        strong_.find(sites, successors_, [this](std::uint32_t t) { return member_[t] == mark_; });
    for (std::uint32_t i = 0; i < parts.size(); ++i) {
      for (const std::uint32_t s : parts[i]) part_of_[s] = i;
    }
    return parts;
  }

  // The strongly connected parts in a topological order that stays close to the order of first
  // execution.
  std::vector<Sites> ordered_parts(const Sites& sites) {
    mark(sites);
    return strong_.find_in_order(
        sites, successors_, [this](std::uint32_t t) { return member_[t] == mark_; }, rank_);
  }

  // Chooses the header of a loop and removes the edges that begin its next pass.
  void cut_back_edges(const Sites& part) {
    mark(part);
    const std::uint32_t header = header_of(part);
    note_beginnings(part);
    Sites latches;
    for (const std::uint32_t s : part) {
      if (std::ranges::find(successors_[s], header) != successors_[s].end()) latches.push_back(s);
    }
    const Sites outer = outer_latches(part, header, latches);
    mark(part);
    for (const std::uint32_t latch : outer) std::erase(successors_[latch], header);
    cut_other_entries(part, header, outer);
  }

  // Every stream leaves some loops from the same site, and goes on there, in the next pass, to one
  // of several sites at which streams also come to the loop. Then the pass ends at that site, if
  // these are the first sites of a loop within that ranks enter in different places, or of branches
  // that exclude each other. (Else the site may as well be the end of a loop within.) REQUIRES: the
  // part is marked. Leaves other marks if it removed edges.
  bool cut_behind_end(const Sites& part) {
    std::optional<std::uint32_t> end;
    for (const std::uint32_t s : part) {
      if (std::ranges::all_of(departures_[s], [&](std::uint32_t t) { return member_[t] == mark_; }))
        continue;
      if (end) return false;
      end = s;
    }
    if (!end) return false;
    Sites next, kept;
    for (const std::uint32_t t : successors_[*end]) {
      (t != *end && member_[t] == mark_ ? next : kept).push_back(t);
    }
    if (next.size() < 2 ||
        !std::ranges::all_of(next, [this](std::uint32_t t) { return is_entered(t); }))
      return false;
    Sites all = std::exchange(successors_[*end], std::move(kept));
    const std::vector<Sites> parts = strong_parts(part);
    const bool has_loop_there =
        std::ranges::any_of(next, [&](std::uint32_t t) { return parts[part_of_[t]].size() > 1; });
    if (has_loop_there || exclude_each_other(next)) return true;
    successors_[*end] = std::move(all);
    return false;
  }

  // Whether a stream comes to a site from outside of what is marked.
  bool is_entered(std::uint32_t site) const {
    return std::ranges::any_of(arrivals_[site], [this](std::uint32_t p) {
      return p == FlowGraph::kStart || member_[p] != mark_;
    });
  }

  // Whether none of these sites leads to another one within what is marked.
  bool exclude_each_other(const Sites& sites) {
    ++seen_mark_;
    Sites waiting = sites;
    while (!waiting.empty()) {
      const std::uint32_t s = waiting.back();
      waiting.pop_back();
      for (const std::uint32_t t : successors_[s]) {
        if (member_[t] != mark_ || t == s || seen_[t] == seen_mark_) continue;
        if (std::ranges::find(sites, t) != sites.end()) return false;
        seen_[t] = seen_mark_;
        waiting.push_back(t);
      }
    }
    return true;
  }

  // A loop that begins with a branch has another first site on streams that do not take it. An edge
  // from a latch back to such a site begins a pass as well, unless every stream that has it also
  // goes to the header, or comes to the site from an earlier one of the loop: then it is the back
  // edge of a loop within.
  void cut_other_entries(const Sites& part, std::uint32_t header, const Sites& latches) {
    strong_parts(part);
    for (const std::uint32_t latch : latches) {
      const Sites not_to_header = graph_.leaves_without(latch, header);
      std::erase_if(successors_[latch], [&](std::uint32_t t) {
        if (t == latch) return repeats_loop(t, header, not_to_header);
        return member_[t] == mark_ && rank_[t] < rank_[latch] && part_of_[t] == part_of_[latch] &&
               std::ranges::binary_search(not_to_header, t) && begins_[t];
      });
    }
  }

  // Whether a site that follows itself does so because it is all that some streams have of the
  // loop.
  bool repeats_loop(std::uint32_t site, std::uint32_t header, const Sites& not_to_header) {
    repeats_[site] = site != header && begins_[site] &&
                     std::ranges::binary_search(not_to_header, site) &&
                     !graph_.leaves_for_both(site, header);
    return repeats_[site];
  }

  // Notes the sites to which some stream comes from none of the loop that stands before them.
  // REQUIRES: the loop is marked.
  void note_beginnings(const Sites& part) {
    for (const std::uint32_t s : part) {
      begins_[s] = graph_.arrives_only(s, [&](std::uint32_t p) {
        return p == FlowGraph::kStart || member_[p] != mark_ || rank_[p] >= rank_[s];
      });
    }
  }

  // The site of a loop that is entered first: from outside, or by the start of the program.
  std::uint32_t header_of(const Sites& part) const {
    std::uint32_t best = part.front();
    bool best_entered = false;
    for (const std::uint32_t s : part) {
      const bool entered = is_entered(s);
      if (entered > best_entered || (entered == best_entered && rank_[s] < rank_[best])) {
        best = s;
        best_entered = entered;
      }
    }
    return best;
  }

  // The strongly connected parts that are left when every stream begins its next pass elsewhere: at
  // the header, or where it comes first on streams that do not take that.
  // REQUIRES: the part is marked. Leaves the marks without the header.
  std::vector<Sites> parts_of_a_pass(const Sites& part, std::uint32_t header) {
    Sites inside = part;
    std::erase(inside, header);
    std::vector<std::pair<std::uint32_t, Sites>> before;
    for (const std::uint32_t s : inside) {
      Sites onward = successors_[s];
      std::erase_if(onward, [&](std::uint32_t t) {
        return member_[t] == mark_ && t != header && rank_[s] >= rank_[t] && begins_[t];
      });
      if (onward.size() == successors_[s].size()) continue;
      before.emplace_back(s, std::exchange(successors_[s], std::move(onward)));
    }
    mark(inside);
    std::vector<Sites> parts = strong_parts(inside);
    for (auto& [s, all] : before) successors_[s] = std::move(all);
    return parts;
  }

  // The latches of the outermost loop with this header. A latch is of an inner loop if its body
  // lies within that of every outer one, no stream goes round the inner loop alone, and none leaves
  // the outer one from there: a branch at the end of a loop that some ranks never take, or that the
  // last pass does not, looks just like a nested loop otherwise.
  //
  // The body of a latch is what leads to it without passing the header. So it lies within the body
  // of another just if it leads there, which the strongly connected parts without the header tell.
  // REQUIRES: the part is marked. Leaves the marks without the header.
  Sites outer_latches(const Sites& part, std::uint32_t header, const Sites& latches) {
    if (latches.size() < 2) return latches;
    std::vector<bool> leaves;
    for (const std::uint32_t latch : latches) {
      leaves.push_back(std::ranges::any_of(
          departures_[latch], [this](std::uint32_t t) { return member_[t] != mark_; }));
    }
    const std::vector<Sites> parts = parts_of_a_pass(part, header);
    std::vector<bool> has_latch(parts.size(), false);
    for (const std::uint32_t latch : latches) {
      if (latch != header) has_latch[part_of_[latch]] = true;
    }
    // Per part, which of the outermost latches it leads to. Parts come behind those they lead to.
    std::vector<std::uint64_t> leads_to(parts.size(), 0);
    std::vector<bool> is_outer(parts.size(), false);
    std::size_t outermost = 0;
    for (std::uint32_t i = 0; i < parts.size(); ++i) {
      for (const std::uint32_t s : parts[i]) {
        for (const std::uint32_t t : successors_[s]) {
          if (member_[t] == mark_) leads_to[i] |= leads_to[part_of_[t]];
        }
      }
      if (!has_latch[i] || leads_to[i] != 0) continue;
      if (outermost == kMaxOuter) return latches;
      is_outer[i] = true;
      leads_to[i] = std::uint64_t{1} << outermost++;
    }
    const std::uint64_t all_outer = ~std::uint64_t{0} >> (kMaxOuter - outermost);
    Sites outer, inner;
    for (std::size_t i = 0; i < latches.size(); ++i) {
      const std::uint32_t latch = latches[i];
      const bool is_last = latch != header && is_outer[part_of_[latch]];
      (is_last || leaves[i] ? outer : inner).push_back(latch);
    }
    const Sites alone = graph_.arrives_without(header, outer);
    Sites all = outer;
    for (const std::uint32_t latch : inner) {
      const bool within = latch == header || leads_to[part_of_[latch]] == all_outer;
      if (!within || std::ranges::binary_search(alone, latch)) all.push_back(latch);
    }
    return all;
  }

  const FlowGraph& graph_;
  const Sites order_;  // of the program; those not in it are outside
  LoopTree tree_;
  StrongParts strong_;
  std::vector<Sites> arrivals_;         // per site: predecessors in the whole graph, kStart too
  std::vector<Sites> departures_;       // likewise successors
  std::vector<Sites> successors_;       // per site: the edges that are left
  std::vector<std::uint32_t> rank_;     // per site: its place in the program order
  std::vector<std::uint32_t> member_;   // per site: the last mark that it got
  std::vector<std::uint32_t> part_of_;  // per site: its part when last looked for
  std::vector<bool> begins_;            // per site: whether a pass begins there on some stream
  std::vector<bool> repeats_;           // per site: begins a pass behind itself
  std::vector<std::uint32_t> seen_;     // per site: the last search that came by
  std::uint32_t mark_ = 0, seen_mark_ = 0;
  std::uint64_t looks_left_ = 0;  // at edges
};

// The loops of a graph by its edges alone. Those of most bodies are in its code, and none are left.
LoopTree find_cycles(const FlowGraph& graph, const Sites& order) {
  if (!graph.leads_forward(order)) return CycleFinder(graph, order).run();
  LoopTree out;
  out.repeats.resize(graph.size());
  out.leaf_of.resize(graph.size());
  out.items.push_back({});
  for (const std::uint32_t s : order) {
    out.leaf_of[s] = add_item(out, 0);
    out.items.back().site = s;
  }
  return out;
}

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
      if (chains_[s].size() > kMaxNesting) chains_[s].resize(kMaxNesting);
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
        here[child] = add_item(tree_, here[i]);
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

LoopTree find_loops(const FlowGraph& graph, const SiteCode& code) {
  return find_loops(graph, code, code.in_program_order(graph.order()), {});
}

LoopTree find_loops(const FlowGraph& graph, const SiteCode& code, const Sites& order,
                    const LoopChoices& choices) {
  return TreeBuilder(graph, code, choices).run(order);
}

}  // namespace reprise::compress
