#include "program/nodes/in_place.hpp"

#include <algorithm>

#include "program/nodes/reach.hpp"
#include "program/nodes/slots.hpp"

namespace reprise::program {
namespace {

// About as many as are taken in at one look, between what is before them and behind.
constexpr std::size_t kMostLines = 8;

// The only invocation of a procedure.
struct Found {
  Node* node = nullptr;
  std::size_t loops = 0;  // around it, of the procedure that it is in
  std::size_t count = 0;  // of invocations
};

void find(std::vector<Node>& nodes, std::size_t loops, std::vector<Found>& out) {
  for (Node& n : nodes) {
    if (n.kind == Node::Kind::invocation) {
      Found& f = out[n.procedure];
      ++f.count;
      f.node = &n;
      f.loops = loops;
    }
    find(n.body, loops + (n.kind == Node::Kind::loop), out);
  }
}

// Makes the calls those of the invocation, in order.
void set_calls(std::vector<Node>& nodes, std::vector<std::uint32_t>::const_iterator& next) {
  for (Node& n : nodes) {
    if (n.kind == Node::Kind::call) n.call = *next++;
    for (std::uint32_t& c : n.calls) c = *next++;
    if (n.kind == Node::Kind::exchange) n.call = n.calls.front();
    set_calls(n.body, next);
  }
}

// A pattern begins with each invocation, and within loops would go on.
bool has_pattern(std::vector<Node>& nodes) {
  bool out = false;
  for_each_slot(nodes, [&](const Slot& s) {
    for (std::size_t k = 0; s.value && k < s.value->cases.size(); ++k)
      out = out || std::holds_alternative<Pattern>(s.value->cases[k].content);
  });
  return out;
}

// Peers at a distance that no constant nor a parameter tells stay in a procedure.
bool are_distances_known(std::vector<Node>& nodes, const Node& invocation) {
  bool out = true;
  for_each_slot(nodes, [&](const Slot& s) {
    if (!s.value || !s.value->distance) return;
    const auto& passed = std::get<Value>(invocation.passed[*s.value->distance]);
    out = out && (passed.parameter || passed.constant());
  });
  return out;
}

void replace_distance(Value& value, const Node& invocation) {
  const auto& passed = std::get<Value>(invocation.passed[*value.distance]);
  value.distance = passed.parameter;
  const std::int64_t times = passed.constant().value_or(1);
  const auto scale = [times](Neighbor& n) {
    for (std::int64_t& step : n.steps) step *= times;
  };
  for (Case& c : value.cases) {
    if (auto* n = std::get_if<Neighbor>(&c.content)) scale(*n);
    auto* a = std::get_if<Alternation>(&c.content);
    for (std::size_t k = 0; a && k < a->laws.size(); ++k) {
      if (auto* n = std::get_if<Neighbor>(&a->laws[k])) scale(*n);
    }
  }
}

void replace(Node& n, std::size_t loops, Procedure& p) {
  for_each_slot(p.body, [&](const Slot& s) {
    if (s.who && s.who->parameter) {
      *s.who = std::get<Who>(n.passed[*s.who->parameter]);
    } else if (s.value && s.value->parameter) {
      *s.value = std::get<Value>(n.passed[*s.value->parameter]);
    } else if (s.value) {
      if (s.value->distance) replace_distance(*s.value, n);
      move_outside(*s.value, loops);
    }
  });
  move_loops_outside(p.body, loops);
  auto next = n.calls.cbegin();
  set_calls(p.body, next);
  n.kind = Node::Kind::function;
  n.body = std::move(p.body);
  n.procedure = 0;
  n.passed.clear();
  n.calls.clear();
}

void remove(Program& program, std::size_t procedure) {
  program.procedures.erase(program.procedures.begin() + static_cast<std::ptrdiff_t>(procedure));
  const std::function<void(std::vector<Node>&)> renumber = [&](std::vector<Node>& nodes) {
    for (Node& n : nodes) {
      if (n.kind == Node::Kind::invocation && n.procedure > procedure) --n.procedure;
      renumber(n.body);
    }
  };
  renumber(program.body);
  for (Procedure& p : program.procedures) renumber(p.body);
}

}  // namespace

void put_in_place(Program& program) {
  for (std::size_t k = program.procedures.size(); k-- > 0;) {
    std::vector<Found> invocations(program.procedures.size());
    find(program.body, 0, invocations);
    for (Procedure& p : program.procedures) find(p.body, 0, invocations);
    const Found& only = invocations[k];
    Procedure& p = program.procedures[k];
    if (only.count != 1 || lines_of(p.body) > kMostLines) continue;
    if (only.loops > 0 && has_pattern(p.body)) continue;
    if (!are_distances_known(p.body, *only.node)) continue;
    replace(*only.node, only.loops, p);
    remove(program, k);
  }
}

}  // namespace reprise::program
