#include "program/nodes.hpp"

#include <algorithm>

#include "program/streams.hpp"

namespace reprise::program {

using trace::Item;
using trace::Kind;

namespace {

bool is_rank(Kind kind) { return kind == Kind::peer || kind == Kind::matched; }

// Numbers that stand for something: a formula of them says nothing.
bool is_name(const trace::Column& column) {
  switch (column.kind) {
    case Kind::count:
    case Kind::tag:
    case Kind::peer:
    case Kind::matched:
    case Kind::color:
    case Kind::request:
    case Kind::message:
    case Kind::polls:
    case Kind::bytes: return false;
    case Kind::integer: return column.enumeration >= 0;
    default: return true;
  }
}

}  // namespace

NodeBuilder::NodeBuilder(const trace::Trace& trace, Conditions& conditions)
    : trace_(trace),
      conditions_(conditions),
      executions_(trace),
      peers_(trace, executions_),
      values_(conditions),
      nest_(trace, executions_) {}

std::vector<Node> NodeBuilder::run() {
  std::vector<Node> out;
  item(trace_.root, std::make_shared<const Streams>(first_streams(trace_.streams())), out);
  return out;
}

// Whether no stream ever makes two trips. REQUIRES: these are the ones that make any.
bool NodeBuilder::is_at_most_once(const Item& item, const Streams& inside) {
  const trace::Value& trips = item.trips;
  if (trips.is_constant()) return trips.by_stream.at(0) <= 1;
  if (!trips.classes.empty()) return analyze::trip_bounds(trace_, item, executions_).max <= 1;
  trace::SeriesCursor by_stream(trips.by_stream);
  std::uint64_t at = 0;
  for (const std::uint64_t s : inside) {
    for (; at < s; ++at) by_stream.next();
    ++at;
    if (by_stream.next() > 1) return false;
  }
  return true;
}

void NodeBuilder::item(const Item& item, const StreamSet& coming, std::vector<Node>& out) {
  if (coming->empty() || (!item.is_call() && item.body.empty())) return;
  StreamSet inside = coming;
  if (!item.trips.is_constant() || item.trips.by_stream.at(0) <= 0) {
    Streams entering = executions_.entering(item);
    if (entering.empty()) return;
    if (entering.size() != coming->size())
      inside = std::make_shared<const Streams>(std::move(entering));
  }
  const Asking asking{inside, [&](std::uint64_t s) { return executions_.of(item, s); }, &nest_};
  const bool once = is_at_most_once(item, *inside);
  Node node;
  node.trips =
      values_.scalar(item.trips, asking, nullptr, once ? Meaning::condition : Meaning::number);
  node.depth = nest_.loops();
  const bool always = node.trips.constant() == 1;
  node.kind = once ? Node::Kind::condition : Node::Kind::loop;
  nest_.enter(item, !once);
  std::vector<Node> inner;
  body(item, inside, inner);
  nest_.leave();
  if (inner.empty()) return;
  const Who who = values_.who(inside, *coming);
  if (!always) {
    node.body = std::move(inner);
    node.who = who;
    out.push_back(std::move(node));
    return;
  }
  for (Node& n : inner) {
    // Those that a stream comes by only here are under both conditions, which is the inner one.
    if (!who.is_everyone()) {
      n.who = n.who.is_everyone() ? who : values_.who(n.who.streams, *coming);
    }
    out.push_back(std::move(n));
  }
}

void NodeBuilder::body(const Item& item, const StreamSet& inside, std::vector<Node>& out) {
  if (item.is_call()) {
    out.push_back(call(item.call, inside));
    return;
  }
  for (const Item& b : item.body) this->item(b, inside, out);
}

Node NodeBuilder::call(std::uint32_t index, const StreamSet& streams) {
  const trace::Call& c = trace_.calls[index];
  const trace::Function& f = trace::function(c.function);
  const Asking asking{streams, [this, index](std::uint64_t s) { return executions_.of(index, s); },
                      &nest_};
  const PeerMeaning peers{peers_.is_like_world(index, *streams),
                          [this, index](std::uint64_t s) { return peers_.of(index, s); }};
  Node out;
  out.kind = Node::Kind::call;
  out.call = index;
  out.who = {streams, expr::Expr(1), {}, {}};
  for (std::size_t i = 0; i < f.scalars.size(); ++i) {
    const bool rank = is_rank(f.scalars[i].kind);
    const Meaning meaning = is_name(f.scalars[i]) ? Meaning::name : Meaning::number;
    out.arguments.push_back(
        {f.scalars[i], values_.scalar(c.columns[i], asking, rank ? &peers : nullptr, meaning), {}});
  }
  for (std::size_t i = 0; i < f.lists.size(); ++i) {
    const trace::Value& length = c.columns[f.scalars.size() + 2 * i];
    const trace::Value& elements = c.columns[f.scalars.size() + 2 * i + 1];
    const bool rank = is_rank(f.lists[i].kind);
    out.arguments.push_back({f.lists[i],
                             values_.elements(length, elements, asking, rank, is_name(f.lists[i])),
                             values_.scalar(length, asking, nullptr, Meaning::number)});
  }
  return out;
}

}  // namespace reprise::program
