#include "write/conceptual/calls/law_calls.hpp"

#include <algorithm>

#include "expr/simplify.hpp"
#include "trace/calls/functions.hpp"
#include "trace/calls/predefined.hpp"
#include "trace/values/special.hpp"
#include "write/conceptual/calls/collectives.hpp"
#include "write/conceptual/calls/true_calls.hpp"
#include "write/unwritable.hpp"

namespace reprise::write::conceptual {

using expr::Expr;
using program::Argument;
using program::Node;
using program::Value;
namespace traits = trace::traits;

namespace {

// Computation from here on is not carried on: its rounding to microseconds does not matter [ns].
constexpr std::int64_t kLong = 100000;

// The numbers that an expression may come to, as far as they are told.
void add_numbers(const Expr& e, std::set<std::int64_t>& out) {
  expr::map_choices(e, [&](const Expr& chosen) {
    if (chosen.is_constant()) out.insert(chosen.value());
    return chosen;
  });
}

Expr scaled(const Expr& e, std::int64_t by) { return expr::simplify(e * Expr(by)); }

}  // namespace

LawCalls::LawCalls(const program::Program& program, const Samples& samples, Substitutes substitutes,
                   Names& names, Values& values)
    : program_(program),
      samples_(samples),
      substitutes_(substitutes),
      names_(names),
      values_(values) {
  find_calls(program.body);
  find_types();
  find_groups();
}

void LawCalls::find_calls(const std::vector<Node>& nodes) {
  for (const Node& n : nodes) {
    if (n.kind == Node::Kind::call) calls_.push_back(&n);
    find_calls(n.body);
  }
}

const Argument* LawCalls::argument(const Node& call, std::string_view name) const {
  const auto found =
      std::ranges::find(call.arguments, name, [](const Argument& a) { return a.column.name; });
  return found == call.arguments.end() ? nullptr : &*found;
}

const Argument& LawCalls::needed(const Node& call, std::string_view name) const {
  const Argument* out = argument(call, name);
  if (!out) throw Unwritable{"it has no " + std::string(name)};
  return *out;
}

// Datatypes that have one size wherever they are made.
void LawCalls::find_types() {
  for (const Node* call : calls_) {
    const Argument *made = argument(*call, "newtype"), *size = argument(*call, "newtype_size");
    if (!made || !size) continue;
    const auto number = made->value.constant(), bytes = size->value.constant();
    if (!number) continue;
    const auto [known, is_new] = type_sizes_.emplace(*number, bytes.value_or(-1));
    if (known->second != bytes) known->second = -1;
  }
}

// Communicators of all ranks in their order, and those that MPI_Comm_split makes of all. A number
// that any call gives to another one is left out, and so is what is made of that.
void LawCalls::find_groups() {
  std::set<std::int64_t> unknown;
  for (std::size_t before = 1; before != unknown.size();) {
    before = unknown.size();
    groups_.clear();
    groups_[trace::kWorld] = {.place = Expr::variable(expr::kRank),
                              .size = Expr::variable(expr::kRanks)};
    for (const Node* call : calls_) {
      const Argument* made = argument(*call, "newcomm");
      if (!made) continue;
      const auto number = made->value.constant();
      if (!number) {
        for (const program::Case& c : made->value.cases) {
          if (const auto* e = std::get_if<Expr>(&c.content)) add_numbers(*e, unknown);
        }
        continue;
      }
      if (trace::is_special(*number)) continue;
      const std::optional<Group> group = made_group(*call, unknown);
      if (!group) {
        unknown.insert(*number);
        continue;
      }
      const auto [known, is_new] = groups_.emplace(*number, *group);
      if (!is_new && !(known->second == *group)) unknown.insert(*number);
    }
  }
  for (const std::int64_t number : unknown) groups_.erase(number);
}

// The group of the communicator that a call makes, if its members can be said.
std::optional<LawCalls::Group> LawCalls::made_group(const Node& call,
                                                    const std::set<std::int64_t>& unknown) {
  const Argument *rank = argument(call, "newcomm_rank"), *size = argument(call, "newcomm_size"),
                 *color = argument(call, "color"), *of = argument(call, "comm");
  if (!rank || !size) return std::nullopt;
  const auto parent = of ? of->value.constant() : std::nullopt;
  const bool is_of_all = parent && !unknown.contains(*parent) && groups_.contains(*parent) &&
                         groups_[*parent].is_world;
  const Around nowhere;
  Site site{call, nowhere, trace::function(program_.trace->calls[call.call].function)};
  if (is_of_all) site.group = groups_[*parent];
  try {
    Group out{.place = number(rank->value, site), .size = number(size->value, site)};
    out.is_world =
        out.place == Expr::variable(expr::kRank) && out.size == Expr::variable(expr::kRanks);
    if (out.is_world) return out;
    if (!color || !is_of_all) return std::nullopt;
    out.color = number(color->value, site);
    return out;
  } catch (const Unwritable&) {
    return std::nullopt;
  }
}

LawCalls::Group LawCalls::group_of(const Node& call) const {
  const auto number = needed(call, "comm").value.constant();
  const auto found = number ? groups_.find(*number) : groups_.end();
  if (found == groups_.end())
    throw Unwritable{
        "its communicator is neither that of all ranks nor one that MPI_Comm_split makes of all"};
  return found->second;
}

// With the ranks of the communicator as what they are of those of the world.
Expr LawCalls::number(const Value& v, const Site& site) {
  const std::vector<expr::Binding> of_group = {{std::string(program::kCommRank), site.group.place},
                                               {std::string(program::kCommSize), site.group.size}};
  return names_.with(values_.number(v, site.around), of_group);
}

Expr LawCalls::peer(std::string_view column, const Site& site) {
  const Expr out = number(needed(site.node, column).value, site);
  check_choices(out);
  if (out == Expr(trace::kAnySource)) throw Unwritable{"it is a wildcard receive"};
  return out;
}

std::int64_t LawCalls::size_of(std::string_view datatype, const Site& site) const {
  const auto number = needed(site.node, datatype).value.constant();
  if (!number) throw Unwritable{"ranks or executions differ in its " + std::string(datatype)};
  if (const auto own = type_sizes_.find(*number); own != type_sizes_.end() && own->second >= 0)
    return own->second;
  const std::int64_t size = trace::predefined_type_size(*number);
  if (size < 0) throw Unwritable{"the size of its " + std::string(datatype) + " follows no law"};
  return size;
}

Expr LawCalls::bytes(std::string_view count, std::string_view datatype, const Site& site) {
  return scaled(number(needed(site.node, count).value, site), size_of(datatype, site));
}

std::optional<Computation> LawCalls::computation(const Node& call, const Around& around) {
  auto duration = duration_of(program_, call.call);
  if (!duration) return std::nullopt;
  Computation out{.length = Expr::variable(kDuration)};
  if (const auto constant = constant_duration_of(program_, call.call)) {
    if (*constant == 0) return std::nullopt;
    out.length = Expr(*constant);
  } else {
    out.duration = std::move(duration);
  }
  if (out.length.is_constant() && out.length.value() >= kLong) return out;
  try {
    const Expr before = values_.executions_before(around);
    if (!before.is_constant()) {
      out.execution = before;
      out.first_fraction = kGolden;
    }
  } catch (const Unwritable&) {
    // How often it was executed is not known: all executions round alike.
  }
  return out;
}

std::vector<TaskOperation> LawCalls::operations(const Node& call, const Around& around) {
  const Site site{call, around, trace::function(program_.trace->calls[call.call].function)};
  std::vector<TaskOperation> out;
  const std::uint32_t does = site.function.traits;
  const bool is_told = collective_of(site.function, substitutes_).has_value();
  if (does & traits::kProbe) {
    // left out
  } else if (does & (traits::kSend | traits::kRecv)) {
    out = message(site);
  } else if (is_told && (does & traits::kCollective)) {
    out.push_back(collective(site));
  }
  samples_.check(call.call, out);
  return out;
}

std::vector<TaskOperation> LawCalls::message(const Site& here) {
  const std::uint32_t does = here.function.traits;
  if (does & traits::kPersistent)
    throw Unwritable{
        "its request is started elsewhere, a number of times that depends on the ranks"};
  Site site = here;
  site.group = group_of(site.node);
  if (!site.group.is_world)
    throw Unwritable{"its peers are ranks of a communicator that is not of all"};
  const bool later = (does & traits::kNonblocking) != 0;
  const bool sends = (does & traits::kSend) != 0, receives = (does & traits::kRecv) != 0;
  const bool both = sends && receives;
  const bool apart = argument(site.node, "sendcount") != nullptr;
  std::vector<TaskOperation> out;
  const auto add = [&](Verb verb, std::string_view other, const std::string& side) {
    TaskOperation a{.verb = verb};
    a.peer = peer(other, site);
    a.bytes = bytes(apart ? side + "count" : "count", apart ? side + "type" : "datatype", site);
    a.tag = number(needed(site.node, both ? side + "tag" : "tag").value, site);
    if (a.tag == Expr(trace::kAnyTag)) throw Unwritable{"it receives messages of any tag"};
    out.push_back(std::move(a));
  };
  if (sends) add(later || both ? Verb::send_later : Verb::send, "dest", "send");
  if (receives && !argument(site.node, "source")) throw Unwritable{"it receives a probed message"};
  if (receives) add(later ? Verb::receive_later : Verb::receive, "source", "recv");
  return out;
}

TaskOperation LawCalls::collective(const Site& here) {
  const Collective c = *collective_of(here.function, substitutes_);
  if (c.is_spread || c.is_averaged || c.verb == Verb::exchange)
    throw Unwritable{"its sizes are not written for any number of ranks"};
  Site site = here;
  site.group = group_of(site.node);
  const bool is_world = site.group.is_world;
  TaskOperation out{.verb = c.verb};
  if (!is_world) {
    out.leader = site.group.color;
    out.place = site.group.place;
  }
  if (substitutes_ == Substitutes::none && true_call(c.name)) out.called = c.name;
  if (has_root(c.verb)) {
    out.peer = peer("root", site);
    if (!is_world && !out.peer.is_constant(0))
      throw Unwritable{"its root is not the first rank of a communicator that is not of all"};
    // The representative of a group is its first member.
    if (!is_world) out.peer = Expr::variable(expr::kRank);
  }
  if (c.verb != Verb::barrier) out.bytes = own_bytes(c.name, site);
  return out;
}

// Of each member, or to each, as the reader of traces has it.
Expr LawCalls::own_bytes(std::string_view function, const Site& site) {
  if (function == "Reduce_scatter") {
    const Argument* counts = argument(site.node, "recvcounts");
    if (!site.group.is_world || !counts)
      throw Unwritable{"its counts are of a communicator that is not of all"};
    const Expr own = values_.element(counts->value, site.around, Expr::variable(expr::kRank));
    const std::vector<expr::Binding> of_group = {
        {std::string(program::kCommRank), site.group.place},
        {std::string(program::kCommSize), site.group.size}};
    return scaled(names_.with(own, of_group), size_of("datatype", site));
  }
  if (function == "Reduce_scatter_block") return bytes("recvcount", "datatype", site);
  if (argument(site.node, "count")) return bytes("count", "datatype", site);
  const bool receives = function == "Scatter" || function == "Scatterv";
  return receives ? bytes("recvcount", "recvtype", site) : bytes("sendcount", "sendtype", site);
}

}  // namespace reprise::write::conceptual
