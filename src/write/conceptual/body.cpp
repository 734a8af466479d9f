#include "write/conceptual/body.hpp"

#include <algorithm>
#include <numeric>

#include "base/escape.hpp"
#include "expr/conditions.hpp"
#include "expr/program.hpp"
#include "expr/simplify.hpp"
#include "trace/values/special.hpp"
#include "write/conceptual/calls/true_calls.hpp"
#include "write/conceptual/language/restrict.hpp"
#include "write/conceptual/language/series.hpp"
#include "write/unwritable.hpp"

namespace reprise::write::conceptual {

using expr::Expr;
using expr::Op;
using program::Node;

namespace {

std::vector<std::int64_t> extents_of(const program::Program& program) {
  std::vector<std::int64_t> out;
  if (!program.grid || program.domain) return out;
  for (const Expr& e : program.grid->extents) out.push_back(e.value());
  return out;
}

bool is_nobody(const Expr& e) { return e.is_constant(trace::kProcNull); }

// Who has no peer does nothing: the condition that chooses it becomes one of those who do it.
void leave_out_nobody(TaskOperation& a) {
  while (a.peer.op() == Op::conditional) {
    const Expr peer = a.peer;
    const auto o = peer.operands();
    if (!is_nobody(o[1]) && !is_nobody(o[2])) return;
    const bool holds = is_nobody(o[2]);
    const Expr condition = holds ? o[0] : Expr::make(Op::logical_not, o[0]);
    a.who.condition = both(a.who.condition, expr::simplify(condition));
    a.peer = o[holds ? 1 : 2];
  }
}

bool may_be_nobody(const Expr& e) {
  return is_nobody(e) || std::ranges::any_of(e.operands(), may_be_nobody);
}

// Whether an iteration is one of so many, of `most` at most: i0 < 3 || y > 0 rather than
// i0 < (y == 0 ? 3 : 4).
Expr is_below(const Expr& index, const Expr& trips, std::int64_t most) {
  if (trips.is_constant())
    return trips.value() >= most ? Expr(1) : Expr::make(Op::less, index, trips);
  const Expr plain = Expr::make(Op::less, index, trips);
  if (trips.op() != Op::conditional) return plain;
  const auto o = trips.operands();
  const Expr yes = is_below(index, o[1], most), no = is_below(index, o[2], most);
  if (yes.is_constant(1)) return expr::simplify(Expr::make(Op::logical_or, no, o[0]));
  if (no.is_constant(1))
    return expr::simplify(Expr::make(Op::logical_or, yes, Expr::make(Op::logical_not, o[0])));
  return plain;
}

// As the program's indices are named: i0 is the outermost loop's.
std::string index_of(const Node& loop) { return program::loop_index(loop.depth); }

}  // namespace

BodyWriter::BodyWriter(const program::Program& program, const trace::Trace& given, Calls& calls,
                       Names& names, Values& values, Parameters& parameters)
    : program_(program),
      given_(given),
      places_(given),
      everyone_(given.ranks),
      space_({given.ranks, 1}, extents_of(program)),
      calls_(calls),
      names_(names),
      values_(values),
      parameters_(parameters) {
  std::iota(everyone_.begin(), everyone_.end(), std::uint64_t{0});
}

Statements BodyWriter::run() {
  Context top;
  if (!program_.domain) top.streams = std::make_shared<const program::Streams>(everyone_);
  Statements out;
  nodes(program_.body, top, out);
  return out;
}

void BodyWriter::nodes(const std::vector<Node>& all, const Context& c, Statements& out) {
  for (const Node& n : all) node(n, c, out);
}

void BodyWriter::node(const Node& n, const Context& c, Statements& out) {
  Context inner = c;
  if (n.who.streams && !n.who.is_everyone()) inner.streams = n.who.streams;
  if (program_.domain && !n.who.is_everyone())
    inner.conditions.push_back(how_often(n, [&] { return values_.is_one(n.who); }));
  switch (n.kind) {
    case Node::Kind::call: return call(n, inner, out);
    case Node::Kind::loop: return loop(n, inner, out);
    case Node::Kind::condition: return condition(n, inner, out);
    case Node::Kind::branch:
    case Node::Kind::otherwise:
    case Node::Kind::function: return nodes(n.body, inner, out);
    case Node::Kind::invocation: throw Unwritable{"it has procedures"};
    case Node::Kind::exchange: throw Unwritable{"its messages are drawn"};
  }
}

// The statements of a loop or a block.
Statements BodyWriter::within(const Node& n, const Context& c) {
  Statements out;
  last_call_.reset();
  nodes(n.body, c, out);
  last_call_.reset();
  return out;
}

void BodyWriter::loop(const Node& n, const Context& c, Statements& out) {
  const std::string index = index_of(n);
  Expr trips =
      names_.with(how_often(n, [&] { return values_.number(n.trips, c.around); }), c.known);
  const bool is_same = !is_of_rank(trips);
  if (!is_same && program_.domain)
    throw Unwritable{"the loop with " + text_of_first(n) +
                     " has different trip counts on different ranks (a loop is one of all tasks)"};
  if (is_same) trips = names_.name_of(trips);
  Context inner = c;
  inner.around.push_back(&n);
  if (!is_same) {
    inner.conditions.push_back(is_below(Expr::variable(index), trips, n.most));
    inner.is_in_step = false;
  }
  Statements body = within(n, inner);
  if (body.empty()) return;
  if (trips.is_constant() && trips.value() <= 0) return;
  const auto is_any = [&](const auto& holds) { return std::ranges::any_of(body, holds); };
  const std::int64_t last = trips.is_constant() ? trips.value() - 1 : 0;
  const bool can_vary =
      trips.is_constant() && c.around.empty() &&
      !is_any([&](const ast::Statement& s) { return is_limited_by(s, index, last); });
  if (trips.is_constant() && !is_any([&](const ast::Statement& s) { return uses(s, index); })) {
    ast::ForCount loop;
    loop.count =
        can_vary ? parameters_.repetitions(trips.value(), text_of_first(n)) : number(trips.value());
    loop.body = body_of(std::move(body));
    out.push_back(statement(std::move(loop)));
    return;
  }
  ast::Range range;
  range.items.push_back(number(0));
  if (!is_same) {
    range.last = number(n.most - 1);
    out.push_back(for_each(index, {range}, std::move(body)));
    return;
  }
  range.last = can_vary ? parameters_.last_repetition(trips.value(), text_of_first(n))
                        : names_.number_of(expr::simplify(trips - Expr(1)));
  if (can_vary) {
    for (ast::Statement& s : body) set_last(s, index, last, *range.last);
  }
  Statements looped;
  looped.push_back(for_each(index, {range}, std::move(body)));
  if (!trips.is_constant()) {
    // A range that ends before it begins goes backwards.
    Statements guarded;
    guarded.push_back(
        if_holds(names_.condition_of(Expr::make(Op::greater, trips, Expr(0))), std::move(looped)));
    looped = defined(names_, {trips}, std::move(guarded));
  }
  std::ranges::move(looped, std::back_inserter(out));
}

void BodyWriter::condition(const Node& n, const Context& c, Statements& out) {
  Expr holds =
      names_.with(how_often(n, [&] { return values_.condition(n.trips, c.around); }), c.known);
  // What is no condition is a number where it comes of a law, below 0 for never.
  if (program_.domain && !is_condition(holds.op())) holds = Expr::make(Op::greater, holds, Expr(0));
  Context inner = c;
  inner.around.push_back(&n);
  if (is_of_rank(holds)) {
    inner.conditions.push_back(holds);
    inner.is_in_step = false;
    return nodes(n.body, inner, out);
  }
  if (holds.op() == Op::equal && holds.operands()[0].is_variable() &&
      holds.operands()[1].is_constant())
    inner.known.push_back({holds.operands()[0].name(), holds.operands()[1]});
  Statements body = within(n, inner);
  if (body.empty() || holds.is_constant(0)) return;
  if (holds.is_constant(1)) {
    std::ranges::move(body, std::back_inserter(out));
    return;
  }
  Statements all;
  all.push_back(if_holds(names_.condition_of(holds), std::move(body)));
  all = defined(names_, {holds}, std::move(all));
  std::ranges::move(all, std::back_inserter(out));
}

void BodyWriter::call(const Node& n, const Context& c, Statements& out) {
  const std::uint32_t call = calls_.call_of(n);
  Statements made;
  try {
    if (auto computed = calls_.computation(n, c.around)) {
      computed->who = doers(c);
      computed->length = here(computed->length, c);
      if (computed->execution) computed->execution = here(*computed->execution, c);
      statements_.compute(*computed, made);
    }
    for (TaskOperation& a : calls_.operations(n, c.around)) operation(std::move(a), c, made);
  } catch (const TooLarge& t) {
    throw Unwritable{places_.call_text(given_.calls[call]) + " cannot be called: " + t.why,
                     "leave out --exact"};
  } catch (const Unwritable& u) {
    if (!program_.domain) throw;
    throw Unwritable{places_.call_text(given_.calls[call]) + ": " + u.reason, u.suggestion};
  }
  if (made.empty()) return;
  // What is computed before a call, and all that the call is, stand below its name.
  if (last_call_ != call)
    made.front().comment = in_conceptual_comment(places_.call_text(given_.calls[call]));
  last_call_ = call;
  std::ranges::move(made, std::back_inserter(out));
}

void BodyWriter::operation(TaskOperation a, const Context& c, Statements& out) {
  for (Expr* value : {&a.peer, &a.bytes, &a.tag}) *value = here(*value, c);
  if (is_collective(a.verb)) check_together(a, c);
  a.who = doers(c);
  if (program_.domain && !is_collective(a.verb)) leave_out_nobody(a);
  // A message to nobody that is left is none by itself.
  if (a.verb == Verb::await && may_be_nobody(a.peer))
    a.who.condition = both(a.who.condition, Expr::make(Op::greater_equal, a.peer, Expr(0)));
  if (a.leader && !a.place) a.leaders = leaders(*a.leader, a.who);
  statements_.add(a, out);
}

// A statement is about all members at once: they must be in the same iteration of the loops around.
void BodyWriter::check_together(const TaskOperation& a, const Context& c) const {
  if (!c.is_in_step) {
    throw Unwritable{
        "ranks go through a loop with a collective in different ways (a statement in coNCePTuaL "
        "applies to all ranks at once)"};
  }
  if (c.streams || a.leader) return;
  if (std::ranges::any_of(c.conditions, [&](const Expr& e) { return is_of_rank(e); }))
    throw Unwritable{
        "not all ranks execute it together (a statement applies to all ranks at once)"};
}

bool BodyWriter::is_of_rank(const Expr& e) const {
  return names_.depends(e, std::string(expr::kRank));
}

// The members that stand for groups, if these are the same in all executions.
std::vector<std::int64_t> BodyWriter::leaders(const Expr& leader, const Doers& who) const {
  const std::vector<std::string> names = {std::string(expr::kRank), std::string(expr::kRanks)};
  const auto program = expr::Program::compile(leader, names);
  if (!program) return {};
  std::set<std::int64_t> out;
  for (const std::uint64_t rank : who.ranks) {
    const std::int64_t slots[] = {static_cast<std::int64_t>(rank),
                                  static_cast<std::int64_t>(given_.ranks)};
    const auto of = program->run(slots);
    if (!of) return {};
    out.insert(*of);
  }
  return {out.begin(), out.end()};
}

Doers BodyWriter::doers(const Context& c) {
  Doers out;
  if (c.streams) out.condition = condition_of(c.streams);
  for (const Expr& e : c.conditions) out.condition = both(out.condition, here(e, c));
  if (c.streams && c.conditions.empty()) out.ranks = *c.streams;
  return out;
}

// The expression on those that come by, when they do.
Expr BodyWriter::here(const Expr& e, const Context& c) {
  const Expr known = names_.with(e, c.known);
  return c.streams ? restricted(known, *c.streams, given_.ranks) : known;
}

template <class Find>
Expr BodyWriter::how_often(const Node& n, const Find& find) const {
  if (!program_.domain) return find();
  try {
    return find();
  } catch (const Unwritable& u) {
    throw Unwritable{"how often a rank comes to " + text_of_first(n) + ": " + u.reason,
                     u.suggestion};
  }
}

// The first call in it.
std::string BodyWriter::text_of_first(const Node& n) const {
  const Node* at = &n;
  while (at->kind != Node::Kind::call) at = &at->body.front();
  return places_.call_text(given_.calls[calls_.call_of(*at)]);
}

Expr BodyWriter::condition_of(const program::StreamSet& streams) {
  const auto known = known_.find(streams);
  if (known != known_.end()) return known->second;
  const program::Condition found = conditions_.of(*streams, everyone_);
  const Expr out = expr::simplify(values_.in_ranks(
      found.expression ? *found.expression : is_one_of(Expr::variable(expr::kRank), *streams)));
  known_.emplace(streams, out);
  return out;
}

}  // namespace reprise::write::conceptual
