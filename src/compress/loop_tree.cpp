#include "compress/loop_tree.hpp"

#include <algorithm>
#include <queue>

namespace reprise::compress {
namespace {

using Sites = std::vector<std::uint32_t>;

class Finder {
 public:
  explicit Finder(const FlowGraph& graph) : graph_(graph) {
    const std::size_t n = graph.size();
    predecessors_.resize(n);
    successors_.resize(n);
    rank_.resize(n);
    member_.assign(n, 0);
    for (std::uint32_t s = 0; s < n; ++s) {
      rank_[graph.order()[s]] = s;
      for (const std::uint32_t p : graph.predecessors(s)) {
        if (p == FlowGraph::kStart) continue;
        predecessors_[s].push_back(p);
        successors_[p].push_back(s);
      }
    }
  }

  LoopTree run() {
    tree_.leaf_of.resize(graph_.size());
    tree_.items.push_back({});
    Sites all = graph_.order();
    add_body(0, all);
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
      for (Sites& part : ordered_parts(task.sites)) {
        const std::uint32_t item = add_item(task.item);
        if (part.size() == 1) {
          tree_.items[item].site = part.front();
          tree_.leaf_of[part.front()] = item;
          continue;
        }
        cut_back_edges(part);
        tasks.push_back({item, std::move(part)});
      }
    }
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

  void mark(const Sites& sites) {
    ++mark_;
    for (const std::uint32_t s : sites) member_[s] = mark_;
  }

  // Tarjan's algorithm without recursion, then a topological order that stays close to the order
  // of first execution.
  std::vector<Sites> ordered_parts(const Sites& sites) {
    mark(sites);
    const std::vector<Sites> parts = strong_parts(sites);
    std::vector<std::uint32_t> part_of(graph_.size(), 0);
    for (std::uint32_t i = 0; i < parts.size(); ++i) {
      for (const std::uint32_t s : parts[i]) part_of[s] = i;
    }
    std::vector<std::uint32_t> waits(parts.size(), 0), first(parts.size(), ~0u);
    for (const std::uint32_t s : sites) {
      first[part_of[s]] = std::min(first[part_of[s]], rank_[s]);
      for (const std::uint32_t t : successors_[s]) {
        if (member_[t] == mark_ && part_of[t] != part_of[s]) ++waits[part_of[t]];
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
          if (member_[t] != mark_ || part_of[t] == part) continue;
          if (--waits[part_of[t]] == 0) ready.emplace(first[part_of[t]], part_of[t]);
        }
      }
      ordered.push_back(parts[part]);
    }
    return ordered;
  }

  std::vector<Sites> strong_parts(const Sites& sites) {
    std::vector<Sites> parts;
    std::vector<std::uint32_t> number(graph_.size(), 0), low(graph_.size(), 0);
    std::vector<bool> on_stack(graph_.size(), false);
    Sites stack;
    std::uint32_t counter = 0;
    struct Visit {
      std::uint32_t site;
      std::size_t edge;
    };
    for (const std::uint32_t start : sites) {
      if (number[start] != 0) continue;
      std::vector<Visit> visits{{start, 0}};
      number[start] = low[start] = ++counter;
      stack.push_back(start);
      on_stack[start] = true;
      while (!visits.empty()) {
        const std::uint32_t s = visits.back().site;
        if (visits.back().edge < successors_[s].size()) {
          const std::uint32_t t = successors_[s][visits.back().edge++];
          if (member_[t] != mark_) continue;
          if (number[t] == 0) {
            number[t] = low[t] = ++counter;
            stack.push_back(t);
            on_stack[t] = true;
            visits.push_back({t, 0});
          } else if (on_stack[t]) {
            low[s] = std::min(low[s], number[t]);
          }
          continue;
        }
        visits.pop_back();
        if (!visits.empty()) low[visits.back().site] = std::min(low[visits.back().site], low[s]);
        if (low[s] != number[s]) continue;
        Sites& part = parts.emplace_back();
        std::uint32_t t = 0;
        do {
          t = stack.back();
          stack.pop_back();
          on_stack[t] = false;
          part.push_back(t);
        } while (t != s);
      }
    }
    return parts;
  }

  // Chooses the header of a loop and removes the edges that begin its next pass.
  void cut_back_edges(const Sites& part) {
    mark(part);
    const std::uint32_t header = header_of(part);
    Sites latches;
    for (const std::uint32_t p : predecessors_[header]) {
      if (member_[p] == mark_) latches.push_back(p);
    }
    const Sites outer = outer_latches(header, latches);
    for (const std::uint32_t latch : outer) cut(latch, header);
    cut_other_entries(part, header, outer);
  }

  void cut(std::uint32_t from, std::uint32_t to) {
    std::erase(successors_[from], to);
    std::erase(predecessors_[to], from);
  }

  // A loop that begins with a branch has another first site on streams that do not take it. An edge
  // from a latch to such a site begins a pass as well, unless every stream that has it also goes to
  // the header: then it is the back edge of a loop within.
  void cut_other_entries(const Sites& part, std::uint32_t header, const Sites& latches) {
    std::vector<std::uint32_t> part_of(graph_.size(), 0);
    std::uint32_t number = 0;
    for (const Sites& p : strong_parts(part)) {
      ++number;
      for (const std::uint32_t s : p) part_of[s] = number;
    }
    for (const std::uint32_t latch : latches) {
      const Sites targets = successors_[latch];
      for (const std::uint32_t t : targets) {
        if (member_[t] == mark_ && t != latch && part_of[t] == part_of[latch] &&
            !graph_.leaves_also(latch, t, header)) {
          cut(latch, t);
        }
      }
    }
  }

  // The site of a loop that is entered first: from outside, or by the start of the program.
  std::uint32_t header_of(const Sites& part) const {
    std::uint32_t best = part.front();
    bool best_entered = false;
    for (const std::uint32_t s : part) {
      const Sites all = graph_.predecessors(s);
      const bool entered = std::ranges::any_of(
          all, [&](std::uint32_t p) { return p == FlowGraph::kStart || member_[p] != mark_; });
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
  Sites outer_latches(std::uint32_t header, const Sites& latches) {
    std::vector<Sites> bodies;
    for (const std::uint32_t latch : latches) bodies.push_back(natural_loop(header, latch));
    Sites outer, inner;
    Sites common;  // of the bodies of the outer latches
    for (std::size_t i = 0; i < latches.size(); ++i) {
      const bool maximal = std::ranges::none_of(bodies, [&](const Sites& b) {
        return b.size() > bodies[i].size() && std::ranges::includes(b, bodies[i]);
      });
      if (!maximal) {
        inner.push_back(static_cast<std::uint32_t>(i));
        continue;
      }
      if (outer.empty()) {
        common = bodies[i];
      } else {
        Sites both;
        std::ranges::set_intersection(common, bodies[i], std::back_inserter(both));
        common = std::move(both);
      }
      outer.push_back(latches[i]);
    }
    Sites all = outer;
    for (const std::uint32_t i : inner) {
      const bool nested = std::ranges::includes(common, bodies[i]) &&
                          graph_.arrives_also(header, latches[i], outer);
      if (!nested) all.push_back(latches[i]);
    }
    return all;
  }

  // The sites from which the latch is reached without passing the header, sorted.
  Sites natural_loop(std::uint32_t header, std::uint32_t latch) const {
    std::vector<bool> seen(graph_.size(), false);
    Sites body{header}, work;
    seen[header] = true;
    if (!seen[latch]) {
      seen[latch] = true;
      work.push_back(latch);
    }
    while (!work.empty()) {
      const std::uint32_t s = work.back();
      work.pop_back();
      body.push_back(s);
      for (const std::uint32_t p : predecessors_[s]) {
        if (member_[p] == mark_ && !seen[p]) {
          seen[p] = true;
          work.push_back(p);
        }
      }
    }
    std::ranges::sort(body);
    return body;
  }

  const FlowGraph& graph_;
  LoopTree tree_;
  std::vector<Sites> predecessors_, successors_;  // the edges that are left
  std::vector<std::uint32_t> rank_;               // per site: its place in the program order
  std::vector<std::uint32_t> member_;             // per site: the last mark that it got
  std::uint32_t mark_ = 0;
};

}  // namespace

LoopTree find_loops(const FlowGraph& graph) { return Finder(graph).run(); }

}  // namespace reprise::compress
