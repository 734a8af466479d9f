#include "program/nodes/callers.hpp"

#include <algorithm>

#include "program/conditions/streams.hpp"

namespace reprise::program {
namespace {

using expr::Expr;

constexpr Bits kConditionBits = 4;  // of asking at all

// Those who execute any of the nodes.
Who everyone(const std::vector<Node>& nodes) {
  StreamSet all = nodes.front().who.streams;
  for (const Node& n : nodes) {
    const StreamSet& here = n.who.streams;
    if (all == here || *all == *here) continue;
    all = std::make_shared<const Streams>(joined(*all, *here));
  }
  return {all, Expr(1), {}, {}};
}

void give_streams(std::vector<Node>& nodes) {
  for (Node& n : nodes) {
    give_streams(n.body);
    if (n.kind == Node::Kind::function) n.who = everyone(n.body);
  }
}

// A function that does nothing but call another one is that one, and stands before its name.
void join_chains(std::vector<Node>& nodes) {
  for (Node& n : nodes) {
    while (n.kind == Node::Kind::function && n.body.size() == 1 &&
           n.body.front().kind == Node::Kind::function && n.body.front().who.is_everyone()) {
      Node inner = std::move(n.body.front());
      if (n.entered) n.between.push_back(*n.entered);
      n.entered = inner.entered;
      n.body = std::move(inner.body);
    }
    join_chains(n.body);
  }
}

// Those who do anything in a function call it, where that makes its conditions shorter.
class Hoister {
 public:
  explicit Hoister(const Values& values) : values_(values) {}

  void run(std::vector<Node>& nodes, const Streams& coming) const {
    for (Node& n : nodes) {
      if (n.kind == Node::Kind::function) {
        n.who = everyone(n.body);
        const Who called = values_.who(n.who.streams, coming);
        if (!called.is_everyone() && called.condition && is_shorter(n, called)) {
          n.who = called;
          say_within(n.body, *n.who.streams);
        }
      }
      run(n.body, n.who.is_everyone() ? coming : *n.who.streams);
    }
  }

 private:
  // Restates the conditions within a function, which have to tell apart only the streams that call
  // it. Functions within have no conditions yet; the nodes in them have.
  void say_within(std::vector<Node>& nodes, const Streams& calling) const {
    for (Node& n : nodes) {
      if (n.kind == Node::Kind::function) {
        say_within(n.body, calling);
      } else {
        n.who = values_.who(n.who.streams, calling);
      }
    }
  }

  bool is_shorter(const Node& function, const Who& called) const {
    const auto bits = [](const Who& w) {
      return w.condition ? w.is_everyone() ? 0 : bits_of(*w.condition) + kConditionBits
                         : kNever / 64;
    };
    // Or the condition of the call is as short as any within, and those are said in other terms.
    Bits before = 0, after = 0, least = kNever;
    bool is_same = true;
    for (const Node& b : function.body) {
      const Who inside = values_.who(b.who.streams, *called.streams);
      before += bits(b.who);
      after += bits(inside);
      least = std::min(least, bits(b.who));
      is_same = is_same && inside == b.who;
    }
    if (bits(called) + after <= before) return true;
    return !is_same && bits(called) <= least && after <= before;
  }

  const Values& values_;
};

// The condition that all nodes of a function are under is that of its call.
void hoist_common(std::vector<Node>& nodes) {
  for (Node& n : nodes) {
    hoist_common(n.body);
    if (n.kind != Node::Kind::function) continue;
    n.who = n.body.front().who;
    const bool is_common =
        std::ranges::all_of(n.body, [&](const Node& b) { return b.who == n.who; });
    if (!is_common) n.who.condition = Expr(1);
    for (std::size_t k = 0; is_common && k < n.body.size(); ++k) n.body[k].who.condition = Expr(1);
  }
}

}  // namespace

void find_callers(Program& program, const Values& values) {
  give_streams(program.body);
  Hoister(values).run(program.body, first_streams(program.trace->streams()));
  join_chains(program.body);
}

void find_callers(Program& program) {
  hoist_common(program.body);
  join_chains(program.body);
}

}  // namespace reprise::program
