#include "program/conditions/iterations.hpp"

#include <algorithm>

#include "program/conditions/predicate.hpp"
#include "program/conditions/streams.hpp"
#include "program/nodes/slots.hpp"

namespace reprise::program {
namespace {

using expr::Expr;
using expr::Op;

constexpr std::uint64_t kMostIterations = 4096;  // that are looked at

// In which iterations a loop is not skipped, and its trips there.
struct Some {
  ByLoop by;
  std::vector<std::int64_t> in, out;  // indices
  std::int64_t trips = 0;
};

// None: trips are always the same or vary otherwise.
std::optional<Some> some_iterations(const Case& c) {
  const auto* s = std::get_if<Sequence>(&c.content);
  if (!s || !s->by_loop || s->by_loop->per != 1 || s->length == 0 || s->length > kMostIterations)
    return std::nullopt;
  Some out{*s->by_loop, {}, {}, 0};
  trace::SeriesCursor cursor(s->values);
  for (std::uint64_t k = 0; k < s->length; ++k) {
    const std::int64_t trips = cursor.next();
    const std::int64_t index = out.by.first + static_cast<std::int64_t>(k);
    (trips == 0 ? out.out : out.in).push_back(index);
    if (trips != 0 && out.trips != 0 && trips != out.trips) return std::nullopt;
    if (trips != 0) out.trips = trips;
  }
  if (out.in.empty() || out.out.empty()) return std::nullopt;
  return out;
}

Node condition_around(std::vector<Node> body, Who who, Value taken) {
  Node out;
  out.kind = Node::Kind::condition;
  out.frame = body.front().frame;
  out.who = std::move(who);
  out.trips = std::move(taken);
  out.most = 1;
  out.body = std::move(body);
  return out;
}

// The condition that decides whether a loop is skipped, and its trip count elsewhere.
struct Taken {
  Expr where;
  Value trips;
};

// Trips that are a conditional expression on all streams.
std::optional<Taken> taken_by_expression(const Node& n) {
  const Expr* trips = n.trips.expression();
  if (!trips || trips->op() != Op::conditional || !trips->operands()[2].is_constant(0))
    return std::nullopt;
  return Taken{trips->operands()[0], {{{n.trips.cases.front().who, trips->operands()[1]}}, {}}};
}

// Trips that are tables over the iterations of one loop.
std::optional<Taken> taken_by_tables(const Node& n) {
  std::vector<std::int64_t> trips;
  std::optional<Some> first;
  for (const Case& c : n.trips.cases) {
    const auto here = some_iterations(c);
    if (!here || (first && (here->by != first->by || here->in != first->in))) return std::nullopt;
    trips.push_back(here->trips);
    if (!first) first = here;
  }
  const auto where =
      predicate_of(Expr::variable(loop_index(first->by.loop)), first->in, first->out);
  if (!where) return std::nullopt;
  Value inside = n.trips;
  for (std::size_t k = 0; k < trips.size(); ++k) inside.cases[k].content = Expr(trips[k]);
  if (std::ranges::adjacent_find(trips, std::not_equal_to<>()) == trips.end()) {
    inside.cases.resize(1);
    inside.cases.front().who = {n.who.streams, Expr(1), {}, {}};
  }
  return Taken{*where, std::move(inside)};
}

void take_out(Node& n) {
  if (n.kind != Node::Kind::loop || n.trips.cases.empty()) return;
  auto taken = taken_by_expression(n);
  if (!taken) taken = taken_by_tables(n);
  if (!taken) return;
  n.trips = std::move(taken->trips);
  const Who everyone{n.who.streams, Expr(1), {}, {}};
  Who who = n.who;
  n.who = everyone;
  std::vector<Node> body;
  body.push_back(std::move(n));
  n = condition_around(std::move(body), std::move(who), {{{everyone, taken->where}}, {}});
}

// The nodes of a condition that those of `who` execute.
void append_under(const Who& who, std::vector<Node> body, std::vector<Node>& out) {
  for (Node& b : body) {
    if (b.who.is_everyone()) {
      b.who = who;
    } else if (!who.is_everyone()) {
      Node branch;
      branch.kind = Node::Kind::branch;
      branch.who = who;
      branch.frame = b.frame;
      branch.body.push_back(std::move(b));
      b = std::move(branch);
    }
    out.push_back(std::move(b));
  }
}

bool is_condition(const Node& n) {
  return n.kind == Node::Kind::condition && n.trips.expression() != nullptr;
}

std::vector<Node> join(std::vector<Node> nodes) {
  std::vector<Node> out;
  for (std::size_t k = 0; k < nodes.size();) {
    std::size_t end = k + 1;
    // Single lines of the same ranks are read as easily without a condition around them.
    bool is_long = nodes[k].body.size() > 1 || lines_of(nodes[k].body) > 1;
    while (is_condition(nodes[k]) && end < nodes.size() && is_condition(nodes[end]) &&
           *nodes[end].trips.expression() == *nodes[k].trips.expression()) {
      is_long = is_long || lines_of(nodes[end].body) > 1 || nodes[end].who != nodes[k].who;
      ++end;
    }
    if (end == k + 1 || !is_long) {
      for (; k < end; ++k) out.push_back(std::move(nodes[k]));
      continue;
    }
    Value taken = nodes[k].trips;
    StreamSet all = nodes[k].who.streams;
    std::vector<Node> body;
    for (; k < end; ++k) {
      all = std::make_shared<const Streams>(joined(*all, *nodes[k].who.streams));
      append_under(nodes[k].who, std::move(nodes[k].body), body);
    }
    const Who everyone{all, Expr(1), {}, {}};
    taken.cases.front().who = everyone;
    out.push_back(condition_around(std::move(body), everyone, std::move(taken)));
  }
  return out;
}

// A condition around all that a function does is around the call of the function.
void put_around_call(Node& n) {
  const bool is_alone = n.kind == Node::Kind::function && n.who.is_everyone() &&
                        n.body.size() == 1 && is_condition(n.body.front());
  if (!is_alone) return;
  Node condition = std::move(n.body.front());
  n.body = std::move(condition.body);
  n.who.streams = condition.who.streams;
  condition.frame = n.frame;
  condition.body.clear();
  condition.body.push_back(std::move(n));
  n = std::move(condition);
}

void visit(std::vector<Node>& nodes) {
  for (Node& n : nodes) {
    visit(n.body);
    take_out(n);
    put_around_call(n);
  }
  nodes = join(std::move(nodes));
}

}  // namespace

void find_iterations(Program& program) { visit(program.body); }

}  // namespace reprise::program
