#include "program/nodes/functions.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "trace/calls/places.hpp"

namespace reprise::program {
namespace {

// A call in the source: copies that the compiler made of it are one.
using Spot = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;

// Of one call path.
bool is_leaf(const Node& n) { return n.kind == Node::Kind::call || n.kind == Node::Kind::exchange; }

// Frames from the outermost to the place of the call.
using Path = std::vector<std::uint32_t>;

class Grouper {
 public:
  explicit Grouper(const trace::Trace& trace) : trace_(trace) {
    const trace::Places places(trace);
    for (std::uint32_t c = 0; c < trace.callpaths.size(); ++c) {
      const auto& frames = trace.callpaths[c];
      Path path;
      std::vector<std::size_t> ends;
      for (std::size_t i = frames.size(); i-- > places.index(c) && !frames.empty();) {
        // Compilers split functions: what calls a part of itself is one.
        if (!path.empty() && is_one_function(path.back(), frames[i])) {
          path.pop_back();
          ends.pop_back();
        }
        path.push_back(frames[i]);
        ends.push_back(frames.size() - i);
      }
      paths_.push_back(std::move(path));
      ends_.push_back(std::move(ends));
    }
  }

  // Finds the loops that are around each call of functions. As of run().
  void find_loops_of_calls(std::span<const Node> nodes, std::size_t level) {
    for (std::size_t k = 0; k < nodes.size();) {
      const bool is_called = common(nodes[k]).size() > level && is_deeper(nodes[k], level);
      std::size_t end = k + 1;
      while (is_called && end < nodes.size() && enters(nodes[end], nodes[k], level) &&
             !begins_anew(nodes[end], nodes[k], level))
        ++end;
      if (!is_called) {
        find_loops_of_calls(nodes[k].body, level);
      } else {
        const auto [loops, inner] =
            end == k + 1 ? loops_alone(nodes[k], level) : LoopsAlone{0, nullptr};
        Calls& calls = calls_of_[callee(nodes[k], level)];
        calls.spots.insert(spot(first_path(nodes[k])[level]));
        calls.least_loops = std::min(calls.least_loops, loops);
        find_loops_of_calls(inner ? std::span(inner->body) : nodes.subspan(k, end - k), level + 1);
      }
      k = end;
    }
  }

  // The nodes of a function at so many frames from the outermost.
  // `open`: how many of the function's loops are around them.
  // NOLINTNEXTLINE(bugprone-easily-swappable-parameters)
  std::vector<Node> run(std::vector<Node> nodes, std::size_t level, std::size_t open) {
    std::vector<Node> out;
    for (std::size_t k = 0; k < nodes.size();) {
      const Path path = common(nodes[k]);
      if (path.size() > level && is_deeper(nodes[k], level)) {
        std::size_t end = k + 1;
        while (end < nodes.size() && enters(nodes[end], nodes[k], level) &&
               !begins_anew(nodes[end], nodes[k], level))
          ++end;
        const bool alone = end == k + 1 && !is_leaf(nodes[k]) && !is_within(nodes[k], level, open);
        if (!alone) {
          out.push_back(function(nodes, k, end, level));
          k = end;
          continue;
        }
      }
      Node n = std::move(nodes[k++]);
      if (path.size() > level) n.frame = path[level];
      if (!is_leaf(n)) {
        n.body = run(std::move(n.body), level, open + (n.kind == Node::Kind::loop));
        if (!n.frame && !n.body.empty()) n.frame = n.body.front().frame;
      }
      out.push_back(std::move(n));
    }
    return out;
  }

 private:
  Node function(std::vector<Node>& nodes, std::size_t begin, std::size_t end, std::size_t level) {
    Node out;
    out.kind = Node::Kind::function;
    out.frame = common(nodes[begin])[level];
    out.entered = first_path(nodes[begin])[level + 1];
    std::vector<Node> inner(
        std::make_move_iterator(nodes.begin() + static_cast<std::ptrdiff_t>(begin)),
        std::make_move_iterator(nodes.begin() + static_cast<std::ptrdiff_t>(end)));
    out.body = run(std::move(inner), level + 1, 0);
    return out;
  }

  // A function in the source.
  using Callee = std::pair<std::uint32_t, std::uint32_t>;
  Callee callee(const Node& n, std::size_t level) const {
    const trace::Frame& f = trace_.frames[first_path(n)[level + 1]];
    return {f.function, f.file};
  }

  // Loops directly within each other around one call of a function, apart from conditions.
  struct LoopsAlone {
    std::size_t loops = 0;
    const Node* innermost = nullptr;
  };
  LoopsAlone loops_alone(const Node& n, std::size_t level) const {
    LoopsAlone out;
    for (const Node* at = &n; !is_leaf(*at); at = &at->body.front()) {
      const bool is_one_call = std::ranges::all_of(
          at->body, [&](const Node& b) { return enters(b, at->body.front(), level); });
      if (!is_one_call) break;
      if (at->kind == Node::Kind::loop) out = {out.loops + 1, at};
      if (at->body.size() > 1) break;
    }
    return out;
  }

  // Whether a loop alone is within the function that is called in it.
  bool is_within(const Node& n, std::size_t level, std::size_t open) const {
    constexpr std::size_t kLeastCalls = 2;  // the loops around one call alone may be either's
    if (is_loop_of_callee(n, level, open)) return true;
    if (n.kind != Node::Kind::loop || is_code_known(n)) return false;
    const auto calls = calls_of_.find(callee(n, level));
    if (calls == calls_of_.end() || calls->first.first == 0) return false;
    const std::size_t loops = loops_alone(n, level).loops;
    return calls->second.spots.size() >= kLeastCalls && loops > 0 &&
           loops <= calls->second.least_loops;
  }

  // Whether the machine code has a function for each frame, and none is inlined in another one.
  bool is_code_known(const Node& n) const {
    const std::uint32_t callpath = first_call(n).callpath;
    const trace::Code& code = trace_.code;
    if (callpath >= code.paths.size() || code.paths[callpath].empty()) return false;
    return code.paths[callpath].front().size() == trace_.callpaths[callpath].size();
  }

  // Whether the machine code has no further loop around the call of the function. As of run().
  // NOLINTNEXTLINE(bugprone-easily-swappable-parameters)
  bool is_loop_of_callee(const Node& n, std::size_t level, std::size_t open) const {
    if (n.kind != Node::Kind::loop) return false;
    const Node* at = &n;
    while (!is_leaf(*at)) at = &at->body.front();
    const std::uint32_t callpath = trace_.calls[at->call].callpath;
    const trace::Code& code = trace_.code;
    if (callpath >= code.paths.size() || code.paths[callpath].empty()) return false;
    const trace::CodePath& path = code.paths[callpath].front();
    const std::vector<std::size_t>& ends = ends_[callpath];
    if (level >= ends.size() || ends[level] > path.size()) return false;
    std::size_t loops = 0;
    for (std::size_t at_frame = level == 0 ? 0 : ends[level - 1]; at_frame < ends[level];
         ++at_frame) {
      const trace::CodeFunction& f = code.functions[path[at_frame].function];
      if (!f.is_known || path[at_frame].point >= f.points.size()) return false;
      for (std::uint32_t l = f.points[path[at_frame].point]; l != trace::CodeFunction::kNoLoop;
           l = f.loops[l])
        ++loops;
    }
    return loops <= open;
  }

  bool is_one_function(std::uint32_t a, std::uint32_t b) const {
    const trace::Frame &f = trace_.frames[a], &g = trace_.frames[b];
    return f.function != 0 && f.function == g.function && f.file == g.file;
  }

  Spot spot(std::uint32_t frame) const {
    const trace::Frame& f = trace_.frames[frame];
    if (f.line == 0) return {f.function, f.file, 0, frame + 1};
    return {f.function, f.file, f.line, 0};
  }

  const trace::Call& first_call(const Node& n) const {
    const Node* at = &n;
    while (!is_leaf(*at)) at = &at->body.front();
    return trace_.calls[at->call];
  }

  const Path& first_path(const Node& n) const { return paths_[first_call(n).callpath]; }

  // Frames that all calls of a node share.
  Path common(const Node& n) const {
    if (is_leaf(n)) return paths_[trace_.calls[n.call].callpath];
    std::optional<Path> out;
    for (const Node& b : n.body) {
      const Path path = common(b);
      if (!out) {
        out = path;
        continue;
      }
      std::size_t same = 0;
      while (same < out->size() && same < path.size() && spot((*out)[same]) == spot(path[same]))
        ++same;
      out->resize(same);
    }
    return out.value_or(Path());
  }

  // All calls of the node are made in functions that are called at this level.
  bool is_deeper(const Node& n, std::size_t level) const {
    if (is_leaf(n)) return paths_[trace_.calls[n.call].callpath].size() > level + 1;
    return std::ranges::all_of(n.body, [&](const Node& b) { return is_deeper(b, level); });
  }

  // Whether a node lies in the same call of the same function as another one. What a function
  // calls last may replace it on the stack.
  bool enters(const Node& n, const Node& first, std::size_t level) const {
    const Path path = common(n);
    if (path.size() <= level || !is_deeper(n, level)) return false;
    const Path &here = first_path(n), &there = first_path(first);
    if (spot(here[level]) != spot(there[level])) return false;
    const trace::Frame &f = trace_.frames[here[level + 1]], &g = trace_.frames[there[level + 1]];
    return f.function == 0 || (f.function == g.function && f.file == g.file);
  }

  // Whether a node begins with a call that the function makes itself, and another one begins with
  // too: the function was called again on the same line. Copies that a compiler made of a call are
  // one by now.
  bool begins_anew(const Node& n, const Node& first, std::size_t level) const {
    const trace::Call &here = first_call(n), &there = first_call(first);
    const Path& path = paths_[here.callpath];
    const auto spot_of = [this](std::uint32_t f) { return spot(f); };
    return &here != &there && here.function == there.function && path.size() == level + 2 &&
           std::ranges::equal(path, paths_[there.callpath], {}, spot_of, spot_of);
  }

  struct Calls {
    std::set<Spot> spots;
    std::size_t least_loops = ~std::size_t{0};  // around any of them
  };

  const trace::Trace& trace_;
  std::map<Callee, Calls> calls_of_;
  std::vector<Path> paths_;  // by call path
  // How many frames of the call path each element of the path ends behind.
  std::vector<std::vector<std::size_t>> ends_;
};

}  // namespace

std::vector<Node> by_function(const trace::Trace& trace, std::vector<Node> nodes) {
  Grouper grouper(trace);
  grouper.find_loops_of_calls(nodes, 0);
  return grouper.run(std::move(nodes), 0, 0);
}

}  // namespace reprise::program
