#include "code/loop_nest.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "compress/loops/strong_parts.hpp"

namespace reprise::code {

using compress::Sites;
using compress::StrongParts;
using trace::CodeFunction;

namespace {

constexpr std::uint64_t kMaxWork = std::uint64_t{1} << 27;  // edges looked at
constexpr std::uint32_t kNoLoop = CodeFunction::kNoLoop;

using Edge = std::pair<std::uint32_t, std::uint32_t>;  // blocks

class LoopNest {
 public:
  explicit LoopNest(const Flow& flow)
      : flow_(flow),
        strong_(flow.blocks.size()),
        member_(flow.blocks.size(), 0),
        loop_of_(flow.blocks.size(), kNoLoop),
        head_(flow.blocks.size(), 0),
        predecessors_(flow.blocks.size()),
        seen_(flow.blocks.size(), 0) {
    for (const Block& b : flow.blocks) successors_.push_back(b.successors);
    for (std::uint32_t b = 0; b < flow.blocks.size(); ++b) {
      for (const std::uint32_t t : flow.blocks[b].successors) predecessors_[t].push_back(b);
    }
    for (std::uint32_t b = 0; b < flow.blocks.size(); ++b) address_order_.push_back(b);
    find_reachable();
    Sites all;
    for (std::uint32_t b = 0; b < flow.blocks.size(); ++b) {
      if (is_reachable_[b]) all.push_back(b);
    }
    lay_out(std::move(all));
    for (std::uint32_t b = 0; b < flow.blocks.size(); ++b) {
      if (!is_reachable_[b]) order_.push_back(b);
    }
  }

  // False: too much work.
  bool describe(std::vector<std::uint32_t>& points, FoundNest& nest) {
    CodeFunction& out = nest.function;
    std::vector<std::uint32_t> position(flow_.blocks.size());
    for (std::uint32_t i = 0; i < order_.size(); ++i) position[order_[i]] = i;
    std::ranges::sort(points, {}, [&](std::uint32_t b) { return position[b]; });
    // Loops with points, outer ones first, as they were found.
    std::vector<bool> has_point(parents_.size(), false);
    for (const std::uint32_t b : points) {
      for (std::uint32_t l = loop_of_[b]; l != kNoLoop && !has_point[l]; l = parents_[l])
        has_point[l] = true;
    }
    std::vector<std::uint32_t> number(parents_.size(), kNoLoop);
    for (std::uint32_t l = 0; l < parents_.size(); ++l) {
      if (!has_point[l]) continue;
      number[l] = static_cast<std::uint32_t>(out.loops.size());
      out.loops.push_back(parents_[l] == kNoLoop ? kNoLoop : number[parents_[l]]);
      nest.loops.push_back({bodies_[l], heads_[l], {}});
      std::ranges::sort(nest.loops.back().body);
    }
    for (const std::uint32_t b : points) {
      out.points.push_back(loop_of_[b] == kNoLoop ? kNoLoop : number[loop_of_[b]]);
      for (std::uint32_t l = loop_of_[b]; l != kNoLoop; l = parents_[l])
        nest.loops[number[l]].points.push_back(b);
    }
    out.is_known = true;
    return find_exclusive(points, out);
  }

 private:
  void find_reachable() {
    is_reachable_.assign(flow_.blocks.size(), false);
    Sites waiting{flow_.entry};
    is_reachable_[flow_.entry] = true;
    while (!waiting.empty()) {
      const std::uint32_t b = waiting.back();
      waiting.pop_back();
      for (const std::uint32_t t : successors_[b]) {
        if (is_reachable_[t]) continue;
        is_reachable_[t] = true;
        waiting.push_back(t);
      }
    }
  }

  // Puts blocks in order, loops within after removing the edges to their heads. Iterative: what is
  // nested deeply waits on a stack, the first part on top.
  void lay_out(Sites root) {
    struct Task {
      Sites blocks;
      std::uint32_t loop;
    };
    std::vector<Task> tasks;
    tasks.push_back({std::move(root), kNoLoop});
    while (!tasks.empty()) {
      Task task = std::move(tasks.back());
      tasks.pop_back();
      if (task.blocks.size() == 1 && !repeats(task.blocks.front())) {
        loop_of_[task.blocks.front()] = task.loop;
        order_.push_back(task.blocks.front());
        continue;
      }
      ++mark_;
      for (const std::uint32_t b : task.blocks) member_[b] = mark_;
      std::vector<Sites> parts = strong_.find_in_order(
          task.blocks, successors_, [this](std::uint32_t t) { return member_[t] == mark_; },
          address_order_);
      for (std::size_t i = parts.size(); i-- > 0;) {
        std::uint32_t loop = task.loop;
        if (parts[i].size() > 1 || repeats(parts[i].front())) {
          loop = static_cast<std::uint32_t>(parents_.size());
          parents_.push_back(task.loop);
          bodies_.push_back(parts[i]);
          cut_to_heads(parts[i]);
        }
        tasks.push_back({std::move(parts[i]), loop});
      }
    }
  }

  bool repeats(std::uint32_t block) const {
    return std::ranges::binary_search(successors_[block], block);
  }

  // The heads of a loop are where it is entered. An iteration that begins at one of several may
  // come to another one in the midst: a compiler that knows whether the first branch is taken
  // enters behind it. That is so if the way from the first head leads to the second, but not to
  // itself unless by another head, and the second one's leads to itself.
  void cut_to_heads(const Sites& loop) {
    ++mark_;
    for (const std::uint32_t b : loop) member_[b] = mark_;
    Sites& heads = heads_.emplace_back();
    for (const std::uint32_t b : loop) {
      const bool is_entered = std::ranges::any_of(predecessors_[b], [&](std::uint32_t p) {
        return member_[p] != mark_ && is_reachable_[p];
      });
      if (is_entered || b == flow_.entry) heads.push_back(b);
    }
    if (heads.empty()) heads.push_back(*std::ranges::min_element(loop));
    std::ranges::sort(heads);
    for (const std::uint32_t h : heads) head_[h] = mark_;
    std::vector<Edge>& inner = steps_to_heads_.emplace_back(find_steps_to_heads(loop));
    for (const std::uint32_t b : loop) {
      std::erase_if(successors_[b], [&](std::uint32_t t) {
        return is_head(t) && !std::ranges::binary_search(inner, Edge{b, t});
      });
    }
  }

  // Whether a block is a head of the loop that is marked.
  bool is_head(std::uint32_t block) const { return head_[block] == mark_; }

  // The edges to heads of a loop that are within an iteration; sorted. REQUIRES: the loop and its
  // heads are marked.
  std::vector<Edge> find_steps_to_heads(const Sites& loop) {
    std::vector<Edge> out;
    const Sites& heads = heads_.back();
    if (heads.size() < 2 || heads.size() * loop.size() > kMaxWork - work_) return out;
    work_ += heads.size() * loop.size();
    // By head, what it leads to without another one.
    std::vector<std::vector<bool>> leads_to;
    std::vector<bool> leads_to_itself(flow_.blocks.size(), false);
    for (const std::uint32_t h : heads) {
      std::vector<bool>& seen = leads_to.emplace_back(flow_.blocks.size(), false);
      Sites waiting{h};
      seen[h] = true;
      while (!waiting.empty()) {
        const std::uint32_t b = waiting.back();
        waiting.pop_back();
        for (const std::uint32_t t : successors_[b]) {
          if (t == h) leads_to_itself[h] = true;
          if (member_[t] != mark_ || is_head(t) || seen[t]) continue;
          seen[t] = true;
          waiting.push_back(t);
        }
      }
    }
    for (std::size_t i = 0; i < heads.size(); ++i) {
      if (leads_to_itself[heads[i]]) continue;
      for (std::size_t k = 0; k < heads.size(); ++k) {
        if (!leads_to_itself[heads[k]]) continue;
        for (const std::uint32_t b : loop) {
          if (leads_to[i][b] && !leads_to[k][b] &&
              std::ranges::binary_search(successors_[b], heads[k]))
            out.emplace_back(b, heads[k]);
        }
      }
    }
    std::ranges::sort(out);
    return out;
  }

  // The loops around a block, the outermost first, behind the whole function.
  std::vector<std::optional<std::uint32_t>> chain(std::uint32_t block) const {
    std::vector<std::optional<std::uint32_t>> out{std::nullopt};
    for (std::uint32_t l = loop_of_[block]; l != kNoLoop; l = parents_[l])
      out.insert(out.begin() + 1, l);
    return out;
  }

  bool begins_iteration(std::uint32_t loop, const Edge& step) const {
    return std::ranges::binary_search(heads_[loop], step.second) &&
           !std::ranges::binary_search(steps_to_heads_[loop], step);
  }

  // Marks as seen what follows a block within one iteration of a loop, or of the whole function.
  bool walk(std::uint32_t from, std::optional<std::uint32_t> loop) {
    ++seen_mark_;
    if (loop) {
      ++mark_;
      for (const std::uint32_t b : bodies_[*loop]) member_[b] = mark_;
    }
    Sites waiting{from};
    while (!waiting.empty()) {
      const std::uint32_t b = waiting.back();
      waiting.pop_back();
      for (const std::uint32_t t : flow_.blocks[b].successors) {
        if (++work_ > kMaxWork) return false;
        if (seen_[t] == seen_mark_) continue;
        if (loop && (member_[t] != mark_ || begins_iteration(*loop, {b, t}))) continue;
        seen_[t] = seen_mark_;
        waiting.push_back(t);
      }
    }
    return true;
  }

  bool find_exclusive(const std::vector<std::uint32_t>& points, CodeFunction& out) {
    std::vector<std::vector<std::optional<std::uint32_t>>> chains;
    for (const std::uint32_t b : points) chains.push_back(chain(b));
    for (std::uint32_t i = 0; i < points.size(); ++i) {
      for (std::size_t level = 0; level < chains[i].size(); ++level) {
        if (!walk(points[i], chains[i][level])) return false;
        for (std::uint32_t j = i + 1; j < points.size(); ++j) {
          const std::size_t common = static_cast<std::size_t>(
              std::ranges::mismatch(chains[i], chains[j]).in1 - chains[i].begin());
          if (common == level + 1 && seen_[points[j]] != seen_mark_)
            out.exclusive.emplace_back(i, j);
        }
      }
    }
    std::ranges::sort(out.exclusive);
    return true;
  }

  const Flow& flow_;
  StrongParts strong_;
  std::vector<Sites> successors_;                  // by block: the edges that are left
  std::vector<std::uint32_t> address_order_;       // by block
  std::vector<bool> is_reachable_;                 // by block: from the entry
  std::vector<std::uint32_t> member_;              // by block: the last mark that it got
  std::vector<std::uint32_t> parents_;             // by loop: the loop around it, or kNoLoop
  std::vector<Sites> bodies_, heads_;              // by loop
  std::vector<std::vector<Edge>> steps_to_heads_;  // by loop: within an iteration; sorted
  std::vector<std::uint32_t> loop_of_;             // by block: the innermost loop
  std::vector<std::uint32_t> head_;                // by block: the last mark that it got as a head
  std::vector<Sites> predecessors_;                // by block
  Sites order_;                                    // blocks in program order
  std::vector<std::uint32_t> seen_;                // by block: the last walk that came by
  std::uint32_t mark_ = 0, seen_mark_ = 0;
  std::uint64_t work_ = 0;
};

}  // namespace

FoundNest find_loop_nest(const Flow& flow, std::vector<std::uint32_t>& points) {
  FoundNest out;
  if (LoopNest(flow).describe(points, out)) return out;
  return {{false, {}, {kNoLoop}, {}}, {}};
}

}  // namespace reprise::code
