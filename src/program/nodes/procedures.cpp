#include "program/nodes/procedures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "program/nodes/distances.hpp"
#include "program/nodes/in_place.hpp"
#include "program/nodes/reach.hpp"
#include "program/nodes/slots.hpp"
#include "trace/calls/places.hpp"

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
  std::size_t loops;          // around it
  bool is_each_time = false;  // by every iteration of the innermost of them
};

// How many times as far away as those of one member the peers of each member are, by slot; no value
// for slots that say something else.
struct Scaled {
  std::size_t base = 0;         // the member
  std::vector<Member> members;  // whose peers lie in the same directions
  std::vector<std::vector<std::optional<Value>>> distances;  // [members x slots]
};

class Finder {
 public:
  explicit Finder(Program& program)
      : program_(program),
        trace_(*program.trace),
        places_(trace_),
        distances_(extents_of(program)) {}

  void run() {
    const std::size_t highest = measure(program_.body);
    for (std::size_t height = 1; height <= highest; ++height) {
      Groups alike;
      collect(program_.body, 0, false, height, alike);
      for (const std::string& key : alike.order) find(alike.members[key]);
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

  static std::vector<std::int64_t> extents_of(const Program& program) {
    std::vector<std::int64_t> out;
    if (!program.grid || program.domain) return out;
    for (const Expr& e : program.grid->extents) out.push_back(e.value());
    return out;
  }

  // Members by their keys, in the order in which these are met.
  struct Groups {
    std::map<std::string, std::vector<Member>> members;
    std::vector<std::string> order;

    void add(const std::string& key, const Member& member) {
      std::vector<Member>& here = members[key];
      if (here.empty()) order.push_back(key);
      here.push_back(member);
    }
  };

  void collect(std::vector<Node>& nodes, std::size_t loops, bool is_each_time, std::size_t height,
               Groups& alike) {
    for (Node& n : nodes) {
      if (n.kind == Node::Kind::function && heights_.at(&n) == height) {
        const Member member{&n, loops, is_each_time};
        if (!is_one_call(n)) alike.add(key(member, false), member);
        continue;
      }
      const bool is_loop = n.kind == Node::Kind::loop;
      const bool is_each = is_loop || (is_each_time && n.kind != Node::Kind::condition);
      collect(n.body, loops + is_loop, is_each, height, alike);
    }
  }

  // Procedures of members that differ in what can be passed, and in their peers.
  void find(const std::vector<Member>& members) {
    if (members.size() < 2) return;
    Groups same;
    for (const Member& m : members) same.add(key(m, true), m);
    if (same.order.size() > 1) {
      if (const auto scaled = scale(members); scaled && make_procedure(scaled->members, &*scaled)) {
        std::set<const Node*> done;
        for (const Member& m : scaled->members) done.insert(m.node);
        for (auto& [key, group] : same.members)
          std::erase_if(group, [&](const Member& m) { return done.contains(m.node); });
      }
    }
    for (const std::string& key : same.order) {
      std::vector<Member>& group = same.members[key];
      if (group.size() > 1) make_procedure(group, nullptr);
    }
  }

  static std::vector<Slot> slots_of(const Member& m) {
    std::vector<Slot> out;
    for_each_slot(m.node->body, [&](const Slot& s) { out.push_back(s); });
    return out;
  }

  static DistancePlace place_of(const Member& m, const Slot& s) {
    return {m.loops, m.is_each_time, s.is_once, s.trips};
  }

  // Those whose peers are multiples of the nearest ones of them. None: there are none, or they need
  // no parameter for it.
  std::optional<Scaled> scale(const std::vector<Member>& members) const {
    std::optional<std::int64_t> least;
    Scaled out;
    std::vector<Slot> base;
    for (const Member& m : members) {
      std::vector<Slot> slots = slots_of(m);
      std::int64_t length = 0;
      bool is_base = true;
      for (const Slot& s : slots) {
        if (!s.value || !Distances::is_near(*s.value)) continue;
        const auto here = Distances::length_of(*s.value, place_of(m, s));
        is_base = is_base && here;
        length += here.value_or(0);
      }
      if (!is_base || length == 0 || (least && *least <= length)) continue;
      least = length;
      base = std::move(slots);
      out.base = static_cast<std::size_t>(&m - members.data());
    }
    if (!least) return std::nullopt;
    const Node* const base_node = members[out.base].node;
    bool is_any = false;
    for (const Member& m : members) {
      const std::vector<Slot> slots = slots_of(m);
      std::vector<std::optional<Value>> all(slots.size());
      bool fits = true;
      for (std::size_t k = 0; k < slots.size() && fits; ++k) {
        const Value* of_base = base[k].value;
        if (!of_base) continue;
        if (!Distances::is_near(*of_base)) {
          fits = !Distances::is_near(*slots[k].value);
          continue;
        }
        all[k] = distances_.between(*of_base, *slots[k].value, place_of(m, slots[k]));
        fits = all[k].has_value();
        is_any = is_any || (fits && all[k]->constant() != 1);
      }
      if (!fits) continue;
      if (m.node == base_node) out.base = out.members.size();
      out.members.push_back(m);
      out.distances.push_back(std::move(all));
    }
    if (!is_any || out.members.size() < 2) return std::nullopt;
    return out;
  }

  // The same for functions that can be one: of one shape, and with the same of all that cannot be
  // passed, `with_peers` or but for peers at steps in the grid.
  std::string key(const Member& member, bool with_peers) const {
    Node& n = *member.node;
    const std::size_t loops = member.loops;
    const trace::Frame& f = trace_.frames[*n.entered];
    std::string out = fmt::format("{}:{} {}", f.function, f.file, shape(trace_, n.body));
    for_each_slot(n.body, [&](const Slot& slot) {
      if (!slot.value || (!with_peers && Distances::is_near(*slot.value))) return;
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

  // False: it would have too many parameters. `scaled`: where peers are multiples of those of one
  // member.
  bool make_procedure(const std::vector<Member>& members, const Scaled* scaled) {
    std::vector<std::vector<Slot>> slots;
    for (const Member& m : members) slots.push_back(slots_of(m));
    Procedure out;
    out.frame = members.front().node->entered;
    std::vector<std::vector<std::variant<Value, Who>>> passed(members.size());
    std::map<std::string, std::size_t> known;  // parameters by what is passed
    std::vector<std::optional<std::size_t>> parameter_of(slots.front().size());
    const auto pass = [&](std::size_t k, const Parameter& parameter, const auto& of_member) {
      std::string all;
      for (std::size_t m = 0; m < members.size(); ++m)
        all += std::visit([](const auto& v) { return signature(v); }, of_member(m)) + "\n";
      const Slot& s = slots.front()[k];
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
        p.is_text_length = p.is_text_length && parameter.is_text_length;
        return;
      }
      out.parameters.push_back(parameter);
      for (std::size_t m = 0; m < members.size(); ++m) passed[m].push_back(of_member(m));
    };
    using Passed = std::variant<Value, Who>;
    const auto is_scaled = [&](std::size_t k) { return scaled && scaled->distances.front()[k]; };
    for (std::size_t k = 0; k < slots.front().size(); ++k) {
      if (is_scaled(k)) {
        const auto distance = [&](std::size_t m) -> Passed { return *scaled->distances[m][k]; };
        const bool is_one = std::ranges::all_of(
            scaled->distances, [&](const auto& all) { return all[k]->constant() == 1; });
        if (!is_one) pass(k, {"distance", {}, false}, distance);
      } else if (differ_inside(slots, k, members)) {
        pass(k, parameter_for(slots.front()[k]), [&](std::size_t m) -> Passed {
          const Slot& s = slots[m][k];
          if (s.value) return *s.value;
          return *s.who;
        });
      }
    }
    if (out.parameters.size() > kMostParameters) return false;
    // A line with what differs in it is read where it stands.
    if (lines_of(members.front().node->body) == 1 && !out.parameters.empty()) return false;
    for (const Member& m : members) collect_calls(m.node->body, m.node->calls);
    std::vector<std::optional<Value>> bases(slots.front().size());
    for (std::size_t k = 0; k < bases.size(); ++k) {
      if (!is_scaled(k)) continue;
      bases[k] = *slots[scaled->base][k].value;
      move_inside(*bases[k], members[scaled->base].loops);
      bases[k]->distance = parameter_of[k];
    }
    // The body is that of the first member.
    for (std::size_t k = 0; k < slots.front().size(); ++k) {
      const Slot& s = slots.front()[k];
      if (bases[k]) {
        *s.value = std::move(*bases[k]);
        continue;
      }
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
    return true;
  }

  // What is passed on is what it is there.
  Parameter parameter_for(const Slot& s) const {
    if (!s.invocation) return {s.name, s.column, s.is_text_length};
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
  Distances distances_;
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
