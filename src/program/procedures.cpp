#include "program/procedures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "program/slots.hpp"
#include "trace/places.hpp"

namespace reprise::program {
namespace {

using expr::Expr;

// More of them are harder to read than the body again.
constexpr std::size_t kMostParameters = 8;

constexpr Bits kConditionBits = 4;  // of asking at all

// Which of the loops around a function, and which of its own, a value depends on.
struct Reach {
  bool outside = false;
  bool inside = false;
};

// The depth of a loop's index; none for another variable.
std::optional<std::size_t> depth_of(const std::string& variable) {
  if (variable.size() < 2 || variable[0] != 'i') return std::nullopt;
  std::size_t depth = 0;
  for (const char c : variable.substr(1)) {
    if (c < '0' || c > '9') return std::nullopt;
    depth = 10 * depth + static_cast<std::size_t>(c - '0');
  }
  return depth;
}

Reach reach_of(const Value& value, std::size_t loops) {
  Reach out;
  for (const Case& c : value.cases) {
    if (const auto* e = std::get_if<Expr>(&c.content)) {
      for (const std::string& name : expr::free_variables(*e)) {
        const auto depth = depth_of(name);
        if (depth) (*depth < loops ? out.outside : out.inside) = true;
      }
    } else if (const auto* s = std::get_if<Sequence>(&c.content); s && !s->each_time) {
      (s->scope < loops ? out.outside : out.inside) = true;
    } else if (const auto* a = std::get_if<Alternation>(&c.content)) {
      (a->scope < loops ? out.outside : out.inside) = true;
    }
  }
  return out;
}

bool has_table_of_executions(const Value& value) {
  return std::ranges::any_of(value.cases, [](const Case& c) {
    const auto* s = std::get_if<Sequence>(&c.content);
    return std::holds_alternative<Alternation>(c.content) || (s && !s->each_time);
  });
}

// The value as it reads within a procedure that `loops` loops were around.
void move_inside(Value& value, std::size_t loops) {
  for (Case& c : value.cases) {
    if (auto* e = std::get_if<Expr>(&c.content)) {
      std::vector<expr::Binding> renamed;
      for (const std::string& name : expr::free_variables(*e)) {
        const auto depth = depth_of(name);
        if (depth && *depth >= loops)
          renamed.push_back({name, Expr::variable(loop_index(*depth - loops))});
      }
      if (!renamed.empty()) *e = expr::substitute(*e, renamed);
    } else if (auto* s = std::get_if<Sequence>(&c.content); s && s->scope >= loops) {
      s->scope -= loops;
    } else if (auto* a = std::get_if<Alternation>(&c.content); a && a->scope >= loops) {
      a->scope -= loops;
    }
  }
}

void move_loops_inside(std::vector<Node>& nodes, std::size_t loops) {
  for (Node& n : nodes) {
    if (n.kind == Node::Kind::loop) n.depth -= loops;
    move_loops_inside(n.body, loops);
  }
}

std::size_t lines_of(const std::vector<Node>& nodes) {
  std::size_t lines = 0;
  for (const Node& n : nodes) lines += 1 + (n.body.size() > 1 ? lines_of(n.body) : 0);
  return lines;
}

// The calls of the trace within, in order.
void collect_calls(const std::vector<Node>& nodes, std::vector<std::uint32_t>& out) {
  for (const Node& n : nodes) {
    if (n.kind == Node::Kind::call) out.push_back(n.call);
    out.insert(out.end(), n.calls.begin(), n.calls.end());
    collect_calls(n.body, out);
  }
}

// A function at one of its places.
struct Member {
  Node* node;
  std::size_t loops;  // around it
};

class Finder {
 public:
  Finder(Program& program, const Values& values)
      : program_(program), values_(values), trace_(*program.trace), places_(trace_) {}

  void run() {
    give_streams(program_.body);
    Streams all(trace_.streams());
    std::iota(all.begin(), all.end(), std::uint64_t{0});
    hoist_conditions(program_.body, all);
    join_chains(program_.body);
    const std::size_t highest = measure(program_.body);
    for (std::size_t height = 1; height <= highest; ++height) {
      std::map<std::string, std::vector<Member>> alike;
      std::vector<std::string> order;
      collect(program_.body, 0, height, alike, order);
      for (const std::string& key : order) {
        if (alike[key].size() > 1) make_procedure(alike[key]);
      }
    }
  }

 private:
  static void give_streams(std::vector<Node>& nodes) {
    for (Node& n : nodes) {
      give_streams(n.body);
      if (n.kind == Node::Kind::function) n.who = everyone(n.body);
    }
  }

  // Those who do anything in a function call it, where that makes its conditions shorter.
  void hoist_conditions(std::vector<Node>& nodes, const Streams& coming) {
    for (Node& n : nodes) {
      if (n.kind == Node::Kind::function) {
        n.who = everyone(n.body);
        n.who.condition = Expr(1);
        const Who called = values_.who(n.who.streams, coming);
        if (!called.is_everyone() && called.condition && is_shorter(n, called)) {
          n.who = called;
          for (Node& b : n.body) b.who = values_.who(b.who.streams, *n.who.streams);
        }
      }
      hoist_conditions(n.body, n.who.is_everyone() ? coming : *n.who.streams);
    }
  }

  bool is_shorter(const Node& function, const Who& called) const {
    const auto bits = [](const Who& w) {
      return w.condition ? w.is_everyone() ? 0 : bits_of(*w.condition) + kConditionBits
                         : kNever / 64;
    };
    Bits before = 0, after = bits(called);
    for (const Node& b : function.body) {
      before += bits(b.who);
      after += bits(values_.who(b.who.streams, *called.streams));
    }
    return after <= before;
  }

  // Those who execute any of the nodes.
  static Who everyone(const std::vector<Node>& nodes) {
    StreamSet all = nodes.front().who.streams;
    for (const Node& n : nodes) {
      const StreamSet& here = n.who.streams;
      if (all == here || *all == *here) continue;
      Streams both;
      std::ranges::set_union(*all, *here, std::back_inserter(both));
      all = std::make_shared<const Streams>(std::move(both));
    }
    return {all, Expr(1), {}, {}};
  }

  // A function that does nothing but call another one is that one.
  static void join_chains(std::vector<Node>& nodes) {
    for (Node& n : nodes) {
      while (n.kind == Node::Kind::function && n.body.size() == 1 &&
             n.body.front().kind == Node::Kind::function && n.body.front().who.is_everyone()) {
        Node inner = std::move(n.body.front());
        n.entered = inner.entered;
        n.body = std::move(inner.body);
      }
      join_chains(n.body);
    }
  }

  // How many functions are within each other, and for each of them with itself.
  std::size_t measure(const std::vector<Node>& nodes) {
    std::size_t height = 0;
    for (const Node& n : nodes) {
      std::size_t here = measure(n.body);
      if (n.kind == Node::Kind::function) heights_[&n] = ++here;
      height = std::max(height, here);
    }
    return height;
  }

  void collect(std::vector<Node>& nodes, std::size_t loops, std::size_t height,
               std::map<std::string, std::vector<Member>>& alike, std::vector<std::string>& order) {
    for (Node& n : nodes) {
      const std::size_t inside = loops + (n.kind == Node::Kind::loop);
      if (n.kind == Node::Kind::function && heights_.at(&n) == height) {
        if (lines_of(n.body) > 1) {
          const std::string k = key(n, loops);
          auto& members = alike[k];
          if (members.empty()) order.push_back(k);
          members.push_back({&n, loops});
        }
        continue;
      }
      collect(n.body, inside, height, alike, order);
    }
  }

  // The same for functions that can be one: of one shape, and with the same of all that cannot be
  // passed.
  std::string key(Node& n, std::size_t loops) const {
    const trace::Frame& f = trace_.frames[*n.entered];
    std::string out = fmt::format("{}:{} {}", f.function, f.file, shape(trace_, n.body));
    for_each_slot(n.body, [&](const Slot& slot) {
      if (!slot.value) return;
      const Reach reach = reach_of(*slot.value, loops);
      const bool is_passable = !reach.inside && (slot.is_once || !reach.outside ||
                                                 !has_table_of_executions(*slot.value));
      const bool is_table_of_list = slot.is_list && has_table_of_executions(*slot.value);
      if (is_passable && !is_table_of_list) return;
      // What cannot be passed and depends on what is around stays where it is.
      if (reach.outside) {
        out += fmt::format(" {}", static_cast<const void*>(&n));
        return;
      }
      Value moved = *slot.value;
      move_inside(moved, loops);
      out += " " + signature(moved);
    });
    return out;
  }

  void make_procedure(std::vector<Member>& members) {
    std::vector<std::vector<Slot>> slots(members.size());
    for (std::size_t m = 0; m < members.size(); ++m)
      for_each_slot(members[m].node->body, [&](const Slot& s) { slots[m].push_back(s); });
    Procedure out;
    out.frame = members.front().node->entered;
    std::vector<std::vector<std::variant<Value, Who>>> passed(members.size());
    std::map<std::string, std::size_t> known;  // parameters by what is passed
    std::vector<std::optional<std::size_t>> parameter_of(slots.front().size());
    for (std::size_t k = 0; k < slots.front().size(); ++k) {
      if (!differ_inside(slots, k, members)) continue;
      std::string all;
      for (const std::vector<Slot>& of_member : slots) {
        const Slot& s = of_member[k];
        all += (s.value ? signature(*s.value) : signature(*s.who)) + "\n";
      }
      const Slot& s = slots.front()[k];
      const Parameter parameter = parameter_for(s);
      // The key has seen to it that tables over executions are asked for once.
      const int column = parameter.column ? static_cast<int>(parameter.column->kind) : -1;
      const std::string kind =
          fmt::format("{} {} ", s.value ? (s.is_list ? "list" : "value") : "who", column);
      const auto [entry, is_new] = known.try_emplace(kind + all, out.parameters.size());
      parameter_of[k] = entry->second;
      if (!is_new) {
        Parameter& p = out.parameters[entry->second];
        const bool is_peer = p.column && p.column->kind == trace::Kind::peer;
        if (p.name != parameter.name && is_peer) p.name = "peer";
        continue;
      }
      out.parameters.push_back(parameter);
      for (std::size_t m = 0; m < members.size(); ++m) {
        const Slot& here = slots[m][k];
        if (here.value) {
          passed[m].emplace_back(*here.value);
        } else {
          passed[m].emplace_back(*here.who);
        }
      }
    }
    if (out.parameters.size() > kMostParameters) return;
    for (const Member& m : members) collect_calls(m.node->body, m.node->calls);
    // The body is that of the first member.
    for (std::size_t k = 0; k < slots.front().size(); ++k) {
      const Slot& s = slots.front()[k];
      if (s.value) move_inside(*s.value, members.front().loops);
      if (!parameter_of[k]) continue;
      if (s.value) *s.value = {{}, parameter_of[k]};
      if (s.who) s.who->parameter = parameter_of[k];
    }
    out.body = std::move(members.front().node->body);
    move_loops_inside(out.body, members.front().loops);
    name_parameters(out);
    out.name = name_of(out);
    for (std::size_t m = 0; m < members.size(); ++m) {
      Node& n = *members[m].node;
      n.kind = Node::Kind::invocation;
      n.procedure = program_.procedures.size();
      n.passed = std::move(passed[m]);
      n.body.clear();
    }
    program_.procedures.push_back(std::move(out));
  }

  // What is passed on is what it is there.
  Parameter parameter_for(const Slot& s) const {
    if (!s.invocation) return {s.name, s.column};
    Parameter out = program_.procedures[s.invocation->procedure].parameters[s.parameter];
    while (!out.name.empty() && out.name.back() >= '0' && out.name.back() <= '9')
      out.name.pop_back();
    return out;
  }

  static bool is_outside(const Slot& s, std::size_t loops) {
    return s.value && reach_of(*s.value, loops).outside;
  }

  // Whether members differ once each reads as it does within the procedure.
  static bool differ_inside(const std::vector<std::vector<Slot>>& slots, std::size_t k,
                            const std::vector<Member>& members) {
    std::set<std::string> texts;
    for (std::size_t m = 0; m < members.size(); ++m) {
      const Slot& s = slots[m][k];
      if (is_outside(s, members[m].loops)) return true;
      if (!s.value) {
        texts.insert(signature(*s.who));
        continue;
      }
      Value moved = *s.value;
      move_inside(moved, members[m].loops);
      texts.insert(signature(moved));
    }
    return texts.size() > 1;
  }

  static void name_parameters(Procedure& p) {
    std::map<std::string, int> times;
    for (const Parameter& q : p.parameters) ++times[q.name];
    std::map<std::string, int> seen;
    for (Parameter& q : p.parameters) {
      const int n = ++seen[q.name];
      if (times[q.name] > 1) q.name += std::to_string(n);
    }
  }

  std::string name_of(const Procedure& p) {
    const std::string function = p.frame ? places_.function(*p.frame) : "?";
    const int n = ++names_[function];
    return n == 1 ? function : fmt::format("{}_{}", function, n);
  }

  Program& program_;
  const Values& values_;
  const trace::Trace& trace_;
  trace::Places places_;
  std::map<const Node*, std::size_t> heights_;  // of functions
  std::map<std::string, int> names_;
};

}  // namespace

void find_procedures(Program& program, const Values& values) { Finder(program, values).run(); }

}  // namespace reprise::program
