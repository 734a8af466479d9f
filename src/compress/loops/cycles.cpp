#include "compress/loops/cycles.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace reprise::compress {
namespace {

// How often each edge is looked at, on average, before what is left is laid out flat.
constexpr std::uint64_t kMaxLooks = 64;
// Innermost latches beyond which loops with one header are not told apart.
constexpr std::size_t kMaxOuter = 64;

// See cycles.hpp. Works on the edges that are left, and removes those that begin iterations.
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
  // or a loop. Iterative, since how deep programs nest is not bounded.
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
      if (tree_.items[task.item].depth >= LoopTree::kMaxNesting || looks > looks_left_) {
        add_flat_body(task.item, std::move(task.sites));
        continue;
      }
      looks_left_ -= looks;
      for (Sites& part : ordered_parts(task.sites)) {
        if (part.size() == 1) {
          add_call(task.item, part.front());
          continue;
        }
        const std::uint32_t item = tree_.add_item(task.item);
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
    const std::uint32_t item = tree_.add_item(parent);
    tree_.items[item].site = site;
    if (repeats_[site]) tree_.repeats[site].emplace_back(site, parent);
    tree_.leaf_of[site] = item;
  }

  std::uint64_t looks_at(const Sites& sites) const {
    std::uint64_t n = 0;
    for (const std::uint32_t s : sites) n += graph_.edges_by_stream(s) + successors_[s].size() + 1;
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

  // Chooses the header of a loop and removes the edges that begin its next iteration.
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

  // Every stream leaves some loops from the same site, and goes on from there, in the next
  // iteration, to one of several sites at which streams also enter the loop. Then an iteration ends
  // at that site, if these are the first sites of an inner loop that ranks enter in different
  // places, or of branches that exclude each other. (Otherwise the site may be the end of an inner
  // loop.) REQUIRES: the part is marked. Leaves other marks if it removed edges.
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
  // from a latch back to such a site begins an iteration as well, unless every stream that has it
  // also goes to the header, or comes to the site from an earlier one of the loop: then it is the
  // back edge of an inner loop.
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

  // The strongly connected parts of one iteration: without the edges that begin the next one, at
  // the header or, on streams that do not execute that, at their first site of the loop. REQUIRES:
  // the part is marked. Leaves the marks without the header.
  std::vector<Sites> parts_of_iteration(const Sites& part, std::uint32_t header) {
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

  // The latches of the outermost loop with this header. A latch belongs to an inner loop if its
  // body lies within that of every outer one, no stream repeats the inner loop alone, and none
  // leaves the outer one from there: a branch at the end of a loop that some ranks never take, or
  // that the last iteration does not take, looks just like a nested loop otherwise.
  //
  // The body of a latch is what leads to it without passing the header. So it lies within the body
  // of another latch exactly if it leads there, which the strongly connected parts without the
  // header tell.
  // REQUIRES: the part is marked. Leaves the marks without the header.
  Sites outer_latches(const Sites& part, std::uint32_t header, const Sites& latches) {
    if (latches.size() < 2) return latches;
    std::vector<bool> leaves;
    for (const std::uint32_t latch : latches) {
      leaves.push_back(std::ranges::any_of(
          departures_[latch], [this](std::uint32_t t) { return member_[t] != mark_; }));
    }
    const std::vector<Sites> parts = parts_of_iteration(part, header);
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
  std::vector<std::uint32_t> rank_;     // per site: its position in program order
  std::vector<std::uint32_t> member_;   // per site: the last mark that it got
  std::vector<std::uint32_t> part_of_;  // per site: its part when last looked for
  std::vector<bool> begins_;         // per site: whether an iteration begins there on some stream
  std::vector<bool> repeats_;        // per site: follows itself in the next iteration
  std::vector<std::uint32_t> seen_;  // per site: the last search that came by
  std::uint32_t mark_ = 0, seen_mark_ = 0;
  std::uint64_t looks_left_ = 0;  // at edges
};

}  // namespace

LoopTree find_cycles(const FlowGraph& graph, const Sites& order) {
  if (!graph.leads_forward(order)) return CycleFinder(graph, order).run();
  LoopTree out;
  out.repeats.resize(graph.size());
  out.leaf_of.resize(graph.size());
  out.items.push_back({});
  for (const std::uint32_t s : order) {
    out.leaf_of[s] = out.add_item(0);
    out.items.back().site = s;
  }
  return out;
}

}  // namespace reprise::compress
