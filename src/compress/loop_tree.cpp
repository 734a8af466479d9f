#include "compress/loop_tree.hpp"

#include <algorithm>
#include <queue>

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

class Finder {
 public:
  explicit Finder(const FlowGraph& graph) : graph_(graph), strong_(graph.size()) {
    const std::size_t n = graph.size();
    successors_.resize(n);
    rank_.resize(n);
    member_.assign(n, 0);
    part_of_.assign(n, 0);
    for (std::uint32_t s = 0; s < n; ++s) {
      rank_[graph.order()[s]] = s;
      arrivals_.push_back(graph.predecessors(s));
      for (const std::uint32_t p : arrivals_[s]) {
        if (p != FlowGraph::kStart) successors_[p].push_back(s);
      }
    }
    looks_left_ = kMaxLooks * looks_at(graph.order());
  }

  LoopTree run() {
    tree_.leaf_of.resize(graph_.size());
    tree_.items.push_back({});
    add_body(0, graph_.order());
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
        const std::uint32_t item = add_item(task.item);
        cut_back_edges(part);
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
    const std::uint32_t item = add_item(parent);
    tree_.items[item].site = site;
    tree_.leaf_of[site] = item;
  }

  std::uint32_t add_item(std::uint32_t parent) {
    const auto item = static_cast<std::uint32_t>(tree_.items.size());
    LoopTree::Item& p = tree_.items[parent];
    const LoopTree::Item fresh{.site = LoopTree::kBody,
                               .parent = parent,
                               .position = static_cast<std::uint32_t>(p.body.size()),
                               .depth = p.depth + 1,
                               .body = {}};
    p.body.push_back(item);
    tree_.items.push_back(fresh);
    return item;
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
    const std::vector<Sites> parts = strong_parts(sites);
    std::vector<std::uint32_t> waits(parts.size(), 0), first(parts.size(), ~0u);
    for (const std::uint32_t s : sites) {
      first[part_of_[s]] = std::min(first[part_of_[s]], rank_[s]);
      for (const std::uint32_t t : successors_[s]) {
        if (member_[t] == mark_ && part_of_[t] != part_of_[s]) ++waits[part_of_[t]];
      }
    }
    using Ready = std::pair<std::uint32_t, std::uint32_t>;  // (first execution, part)
    std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
    for (std::uint32_t i = 0; i < parts.size(); ++i) {
      if (waits[i] == 0) ready.emplace(first[i], i);
    }
    std::vector<Sites> ordered;
    while (!ready.empty()) {
      const std::uint32_t part = ready.top().second;
      ready.pop();
      for (const std::uint32_t s : parts[part]) {
        for (const std::uint32_t t : successors_[s]) {
          if (member_[t] != mark_ || part_of_[t] == part) continue;
          if (--waits[part_of_[t]] == 0) ready.emplace(first[part_of_[t]], part_of_[t]);
        }
      }
      ordered.push_back(parts[part]);
    }
    return ordered;
  }

  // Chooses the header of a loop and removes the edges that begin its next pass.
  void cut_back_edges(const Sites& part) {
    mark(part);
    const std::uint32_t header = header_of(part);
    Sites latches;
    for (const std::uint32_t s : part) {
      if (std::ranges::find(successors_[s], header) != successors_[s].end()) latches.push_back(s);
    }
    const Sites outer = outer_latches(part, header, latches);
    mark(part);
    for (const std::uint32_t latch : outer) std::erase(successors_[latch], header);
    cut_other_entries(part, header, outer);
  }

  // A loop that begins with a branch has another first site on streams that do not take it. An edge
  // from a latch back to such a site begins a pass as well, unless every stream that has it also
  // goes to the header: then it is the back edge of a loop within.
  void cut_other_entries(const Sites& part, std::uint32_t header, const Sites& latches) {
    strong_parts(part);
    for (const std::uint32_t latch : latches) {
      const Sites not_to_header = graph_.leaves_without(latch, header);
      std::erase_if(successors_[latch], [&](std::uint32_t t) {
        return member_[t] == mark_ && rank_[t] < rank_[latch] && part_of_[t] == part_of_[latch] &&
               std::ranges::binary_search(not_to_header, t);
      });
    }
  }

  // The site of a loop that is entered first: from outside, or by the start of the program.
  std::uint32_t header_of(const Sites& part) const {
    std::uint32_t best = part.front();
    bool best_entered = false;
    for (const std::uint32_t s : part) {
      const bool entered = std::ranges::any_of(arrivals_[s], [&](std::uint32_t p) {
        return p == FlowGraph::kStart || member_[p] != mark_;
      });
      if (entered > best_entered || (entered == best_entered && rank_[s] < rank_[best])) {
        best = s;
        best_entered = entered;
      }
    }
    return best;
  }

  // The latches of the outermost loop with this header. A latch is of an inner loop if its body
  // lies within that of every outer one and no stream goes round the inner loop alone: a branch at
  // the end of a loop that some ranks never take looks just like a nested loop otherwise.
  //
  // The body of a latch is what leads to it without passing the header. So it lies within the body
  // of another just if it leads there, which the strongly connected parts without the header tell.
  // REQUIRES: the part is marked. Leaves the marks without the header.
  Sites outer_latches(const Sites& part, std::uint32_t header, const Sites& latches) {
    if (latches.size() < 2) return latches;
    Sites inside = part;
    std::erase(inside, header);
    mark(inside);
    const std::vector<Sites> parts = strong_parts(inside);
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
    for (const std::uint32_t latch : latches) {
      (latch != header && is_outer[part_of_[latch]] ? outer : inner).push_back(latch);
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
  LoopTree tree_;
  StrongParts strong_;
  std::vector<Sites> arrivals_;         // per site: predecessors in the whole graph, kStart too
  std::vector<Sites> successors_;       // per site: the edges that are left
  std::vector<std::uint32_t> rank_;     // per site: its place in the program order
  std::vector<std::uint32_t> member_;   // per site: the last mark that it got
  std::vector<std::uint32_t> part_of_;  // per site: its part when last looked for
  std::uint32_t mark_ = 0;
  std::uint64_t looks_left_ = 0;  // at edges
};

}  // namespace

LoopTree find_loops(const FlowGraph& graph) { return Finder(graph).run(); }

}  // namespace reprise::compress
