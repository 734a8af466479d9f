#include "write/conceptual/body.hpp"

#include <algorithm>
#include <numeric>

#include "base/escape.hpp"
#include "expr/program.hpp"
#include "expr/simplify.hpp"
#include "write/conceptual/collectives.hpp"
#include "write/conceptual/expressions.hpp"
#include "write/conceptual/series.hpp"
#include "write/conceptual/true_calls.hpp"
#include "write/conceptual/unwritable.hpp"

namespace reprise::write::conceptual {

using expr::Expr;
using expr::Op;
using program::Node;

namespace {

// Functions that less is computed in have no percentage of their own [parts of all].
constexpr double kLeastShare = 0.05;

Expr both(const Expr& a, const Expr& b) {
  if (a.is_constant(1)) return b;
  if (b.is_constant(1) || a == b) return a;
  return Expr::make(Op::logical_and, a, b);
}

std::vector<std::int64_t> extents_of(const program::Program& program) {
  std::vector<std::int64_t> out;
  if (!program.grid) return out;
  for (const Expr& e : program.grid->extents) out.push_back(e.value());
  return out;
}

// As the program's indices are named: i0 is the outermost loop's.
std::string index_of(const Node& loop) { return program::loop_index(loop.depth); }

}  // namespace

BodyWriter::BodyWriter(const program::Program& program, const TaskTrace& tasks,
                       const trace::Trace& given, Parameters& parameters)
    : program_(program),
      tasks_(tasks),
      given_(given),
      places_(given),
      everyone_(given.ranks),
      space_(given.ranks, 1, extents_of(program)),
      functions_(find_functions()),
      parameters_(parameters) {
  std::iota(everyone_.begin(), everyone_.end(), std::uint64_t{0});
}

Statements BodyWriter::run() {
  Context top;
  top.streams = std::make_shared<const program::Streams>(everyone_);
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
  Expr trips = values_.number(n.trips, c.around);
  const bool is_same = !names_.depends(trips, std::string(expr::kRank));
  if (is_same) trips = names_.name_of(trips);
  Context inner = c;
  inner.around.push_back(&n);
  if (!is_same) {
    inner.conditions.push_back(Expr::make(Op::less, Expr::variable(index), trips));
    inner.is_in_step = false;
  }
  Statements body = within(n, inner);
  if (body.empty()) return;
  const bool uses_index =
      std::ranges::any_of(body, [&](const ast::Statement& s) { return uses(s, index); });
  if (trips.is_constant() && !uses_index) {
    ast::ForCount loop;
    const bool is_outermost = c.around.empty();
    loop.count = is_outermost ? parameters_.repetitions(trips.value()) : number(trips.value());
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
  const Expr last = expr::simplify(trips - Expr(1));
  range.last = number_of(last);
  Statements looped;
  looped.push_back(for_each(index, {range}, std::move(body)));
  if (!trips.is_constant()) {
    // A range that ends before it begins goes backwards.
    Statements guarded;
    guarded.push_back(if_holds(conceptual::condition_of(Expr::make(Op::greater, trips, Expr(0))),
                               std::move(looped)));
    looped = defined(names_, {trips}, std::move(guarded));
  }
  std::ranges::move(looped, std::back_inserter(out));
}

void BodyWriter::condition(const Node& n, const Context& c, Statements& out) {
  const Expr holds = values_.condition(n.trips, c.around);
  Context inner = c;
  inner.around.push_back(&n);
  const bool is_same = !names_.depends(holds, std::string(expr::kRank));
  if (!is_same) {
    inner.conditions.push_back(holds);
    inner.is_in_step = false;
    return nodes(n.body, inner, out);
  }
  Statements body = within(n, inner);
  if (body.empty()) return;
  if (holds.is_constant(1)) {
    std::ranges::move(body, std::back_inserter(out));
    return;
  }
  Statements all;
  all.push_back(if_holds(conceptual::condition_of(holds), std::move(body)));
  all = defined(names_, {holds}, std::move(all));
  std::ranges::move(all, std::back_inserter(out));
}

void BodyWriter::call(const Node& n, const Context& c, Statements& out) {
  const Step& step = tasks_.steps[n.call];
  Statements made;
  if (step.is_compute) {
    compute(n, step, c, made);
  } else {
    try {
      operation(n, step, c, made);
    } catch (const TooLarge& t) {
      throw Unwritable{places_.call_text(given_.calls[step.call]) + " cannot be called: " + t.why +
                       "; leave out --exact"};
    }
  }
  if (made.empty()) return;
  // What is computed before a call, and all that the call is, stand below its name.
  if (last_call_ != step.call)
    made.front().comment = in_conceptual_comment(places_.call_text(given_.calls[step.call]));
  last_call_ = step.call;
  std::ranges::move(made, std::back_inserter(out));
}

void BodyWriter::compute(const Node& n, const Step& step, const Context& c, Statements& out) {
  Computation said{.who = doers(c), .unit = step.unit};
  if (const auto* now = step.value(n, Term::now)) {
    said.now = values_.number(*now, c.around);
  } else {
    said.before = values_.number(*step.value(n, Term::before), c.around);
    said.after = values_.number(*step.value(n, Term::after), c.around);
  }
  const std::string function = function_of(step.call);
  if (functions_.contains(function)) said.function = function;
  acts_.compute(said, out);
}

void BodyWriter::operation(const Node& n, const Step& step, const Context& c, Statements& out) {
  // A statement is about all members at once: they must be in the same iteration of the loops
  // around.
  if (!c.is_in_step && is_collective(step.verb)) {
    throw Unwritable{
        "ranks go through a loop with a collective in different ways (a statement in coNCePTuaL "
        "speaks of all at once); take --language c"};
  }
  Act act{.verb = step.verb, .who = doers(c)};
  const auto value = [&](Term term) -> std::optional<Expr> {
    const program::Value* v = step.value(n, term);
    return v ? std::optional(values_.number(*v, c.around)) : std::nullopt;
  };
  if (const auto peer = value(Term::peer)) act.peer = *peer;
  if (const auto bytes = value(Term::bytes)) act.bytes = *bytes;
  if (const auto tag = value(Term::tag)) act.tag = *tag;
  if (is_collective(step.verb) && !step.is_world) {
    act.leader = value(Term::leader);
    act.leaders = leaders(*act.leader, act.who);
  }
  if (const program::Value* v = step.value(n, Term::elements))
    act.element = values_.element(*v, c.around, Expr::variable(program::kIndex));
  const trace::Function& function = trace::function(given_.calls[step.call].function);
  if (is_collective(step.verb) && tasks_.operations.called.contains(std::string(function.name)))
    act.called = collective_of(function, Substitutes::none)->name;
  acts_.add(act, out);
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
  out.condition = condition_of(c.streams);
  for (const Expr& e : c.conditions) out.condition = both(out.condition, e);
  if (c.conditions.empty()) out.ranks = *c.streams;
  return out;
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

// The function that a call stands in; empty: not known.
std::string BodyWriter::function_of(std::uint32_t call) const {
  const std::uint32_t callpath = given_.calls[call].callpath;
  const auto& path = given_.callpaths[callpath];
  return path.empty() ? "" : places_.function(path[places_.index(callpath)]);
}

// Those that most is computed in, if there are several.
std::set<std::string> BodyWriter::find_functions() const {
  std::map<std::string, double> sums;
  double all = 0;
  std::set<std::uint32_t> computing;
  for (const Step& s : tasks_.steps) {
    if (s.is_compute) computing.insert(s.call);
  }
  for (const std::uint32_t c : computing) {
    double& sum = sums[function_of(c)];
    for (const trace::Path& p : given_.times[c].paths) {
      const auto of_path = static_cast<double>(p.compute.total().sum);
      sum += of_path;
      all += of_path;
    }
  }
  std::set<std::string> out;
  for (const auto& [function, sum] : sums) {
    if (!function.empty() && sum >= kLeastShare * all) out.insert(function);
  }
  return out.size() > 1 ? out : std::set<std::string>();
}

}  // namespace reprise::write::conceptual
