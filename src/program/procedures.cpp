#include "program/procedures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "program/in_place.hpp"
#include "program/reach.hpp"
#include "program/slots.hpp"
#include "trace/places.hpp"

namespace reprise::program {
namespace {

using expr::Expr;

// More of them are harder to read than the body again.
constexpr std::size_t kMostParameters = 8;

// The calls of the trace within, in order.
void collect_calls(const std::vector<Node>& nodes, std::vector<std::uint32_t>& out) {
  for (const Node& n : nodes) {
    if (n.kind == Node::Kind::call) out.push_back(n.call);
    out.insert(out.end(), n.calls.begin(), n.calls.end());
    collect_calls(n.body, out);
  }
}

// It is read where it stands.
bool is_one_call(const Node& function) {
  return function.body.size() == 1 && function.body.front().body.empty();
}

// A function at one of its places.
struct Member {
  Node* node;
  std::size_t loops;  // around it
};

class Finder {
 public:
  explicit Finder(Program& program) : program_(program), trace_(*program.trace), places_(trace_) {}

  void run() {
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

  // Numbers procedures of one function.
  void name() {
    std::map<std::string, int> times;
    for (Procedure& p : program_.procedures) {
      const std::string function = p.frame ? places_.function(*p.frame) : "?";
      const int n = ++times[function];
      p.name = n == 1 ? function : fmt::format("{}_{}", function, n);
    }
  }

 private:
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
        if (is_one_call(n)) continue;
        const std::string k = key(n, loops);
        auto& members = alike[k];
        if (members.empty()) order.push_back(k);
        members.push_back({&n, loops});
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
    // A line with what differs in it is read where it stands.
    if (lines_of(members.front().node->body) == 1 && !out.parameters.empty()) return;
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

  Program& program_;
  const trace::Trace& trace_;
  trace::Places places_;
  std::map<const Node*, std::size_t> heights_;  // of functions
};

}  // namespace

void find_procedures(Program& program) {
  Finder finder(program);
  finder.run();
  put_in_place(program);
  finder.name();
}

}  // namespace reprise::program
