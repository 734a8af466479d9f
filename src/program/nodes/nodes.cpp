#include "program/nodes/nodes.hpp"

#include <algorithm>

#include "program/conditions/streams.hpp"

#include "trace/series/series_folder.hpp"

namespace reprise::program {

using trace::Item;
using trace::Kind;

namespace {

bool is_rank(Kind kind) { return kind == Kind::peer || kind == Kind::matched; }

// Executions of a loop that are looked at to sum up its trips.
constexpr std::uint64_t kMostSummed = std::uint64_t{1} << 20;

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

NodeBuilder::NodeBuilder(const trace::Trace& trace, Conditions& conditions, const Options& options)
    : trace_(trace),
      conditions_(conditions),
      options_(options),
      executions_(trace),
      peers_(trace, executions_),
      values_(conditions),
      nest_(trace, executions_) {}

std::vector<std::size_t> NodeBuilder::find_exchanges(const Item& item) {
  std::vector<std::size_t> out;
  if (item.is_call()) {
    for (std::size_t e = 0; e < options_.exchanges.size(); ++e) {
      if (std::ranges::count(options_.exchanges[e].calls, item.call) > 0) out.push_back(e);
    }
    return out;
  }
  for (const Item& b : item.body) {
    for (const std::size_t e : find_exchanges(b)) {
      // The calls of an exchange stand next to each other, and nowhere else.
      if (std::ranges::count(out, e) == 0) {
        out.push_back(e);
      } else if (b.is_call()) {
        exchanges_[&item] = e;
      }
    }
  }
  return out;
}

Node NodeBuilder::exchange(std::size_t index, const StreamSet& streams) const {
  Node out;
  out.kind = Node::Kind::exchange;
  out.who = {streams, expr::Expr(1), {}, {}};
  out.exchange = index;
  for (const std::uint32_t call : options_.exchanges[index].calls) {
    if (call != trace::DrawnExchange::kNoCall) out.calls.push_back(call);
  }
  out.call = out.calls.front();
  return out;
}

std::vector<Node> NodeBuilder::run() {
  std::vector<Node> out;
  if (!options_.exchanges.empty()) find_exchanges(trace_.root);
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
  if (const auto drawn = exchanges_.find(&item); drawn != exchanges_.end()) {
    out.push_back(exchange(drawn->second, coming));
    return;
  }
  StreamSet inside = coming;
  if (!item.trips.is_constant() || item.trips.by_stream.at(0) <= 0) {
    Streams entering = executions_.entering(item);
    if (entering.empty()) return;
    if (entering.size() != coming->size())
      inside = std::make_shared<const Streams>(std::move(entering));
  }
  const ValueSite site{inside, [&](std::uint64_t s) { return executions_.of(item, s); }, &nest_};
  const bool once = is_at_most_once(item, *inside);
  Node node;
  node.trips =
      values_.scalar(item.trips, site, nullptr, once ? Meaning::condition : Meaning::number);
  node.depth = nest_.loops();
  const bool always = node.trips.constant() == 1;
  const bool was_always_met = is_always_met_;
  if (options_.counts_trips && !always) {
    const analyze::Bounds bounds = analyze::trip_bounds(trace_, item, executions_);
    node.most = bounds.max;
    if (const auto before = trips_before(item)) node.before = number_before(*before, site);
    // Streams that never make a trip do not come inside.
    is_always_met_ = is_always_met_ && (bounds.min >= 1 || item.trips.classes.empty());
  }
  node.kind = once ? Node::Kind::condition : Node::Kind::loop;
  nest_.enter(item, !once);
  std::vector<Node> inner;
  body(item, inside, inner);
  nest_.leave();
  is_always_met_ = was_always_met;
  if (inner.empty()) return;
  Who who = values_.who(inside, *coming);
  if (once && !always && !who.is_everyone() && who.condition && node.trips.expression()) {
    // One condition over all who come by, where it is shorter than one within the other.
    const ValueSite all{coming, site.times, &nest_};
    Value joint = values_.scalar(item.trips, all, nullptr, Meaning::condition);
    const expr::Expr* e = joint.expression();
    if (e && bits_of(*e) < bits_of(*node.trips.expression()) + bits_of(*who.condition)) {
      node.trips = std::move(joint);
      who = {coming, expr::Expr(1), {}, {}};
    }
  }
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

// How many trips all executions before have, where executions differ. None: there are too many.
std::optional<trace::Value> NodeBuilder::trips_before(const Item& item) {
  const trace::Value& trips = item.trips;
  if (trips.classes.empty()) return std::nullopt;
  std::vector<std::uint64_t> most(trips.classes.size(), 0);
  for (std::uint64_t s = 0; s < trace_.streams(); ++s) {
    const auto of = static_cast<std::size_t>(trips.series_of(s) - trips.classes.data());
    most[of] = std::max(most[of], executions_.of(item, s));
  }
  trace::Value out = trips;
  for (std::size_t k = 0; k < most.size(); ++k) {
    if (most[k] > kMostSummed) return std::nullopt;
    trace::SeriesFolder folder;
    trace::SeriesCursor cursor(trips.classes[k]);
    std::int64_t sum = 0;
    for (std::uint64_t n = 0; n < std::max<std::uint64_t>(1, most[k]); ++n) {
      folder.append(sum);
      sum = trace::wrapping_add(sum, cursor.next());
    }
    out.classes[k] = folder.finish();
  }
  return out;
}

// Writers ask for it at the first iterations of loops as well. A law of loop indices holds where
// the item is executed. Where it may be skipped, a table over executions also gives the value at
// iterations that skip it.
Value NodeBuilder::number_before(const trace::Value& before, ValueSite site) {
  const Nest none(trace_, executions_);
  if (!is_always_met_) site.nest = &none;
  return values_.scalar(before, site, nullptr, Meaning::number);
}

Node NodeBuilder::call(std::uint32_t index, const StreamSet& streams) {
  const trace::Call& c = trace_.calls[index];
  const ValueSite site{streams, [this, index](std::uint64_t s) { return executions_.of(index, s); },
                       &nest_};
  Node out;
  out.kind = Node::Kind::call;
  out.call = index;
  out.who = {streams, expr::Expr(1), {}, {}};
  if (options_.terms) {
    const Terms& terms = options_.terms(index);
    out.arguments = arguments(c, terms.scalars, terms.lists, site, {true, {}});
  } else {
    const trace::Function& f = trace::function(c.function);
    const PeerMeaning peers{peers_.is_like_world(index, *streams),
                            [this, index](std::uint64_t s) { return peers_.of(index, s); }};
    out.arguments = arguments(c, f.scalars, f.lists, site, peers);
  }
  return out;
}

std::vector<Argument> NodeBuilder::arguments(const trace::Call& c,
                                             std::span<const trace::Column> scalars,
                                             std::span<const trace::Column> lists,
                                             const ValueSite& site,
                                             const PeerMeaning& peers) const {
  std::vector<Argument> out;
  for (std::size_t i = 0; i < scalars.size(); ++i) {
    const bool rank = is_rank(scalars[i].kind);
    const Meaning meaning = is_name(scalars[i]) ? Meaning::name : Meaning::number;
    out.push_back(
        {scalars[i], values_.scalar(c.columns[i], site, rank ? &peers : nullptr, meaning), {}});
  }
  for (std::size_t i = 0; i < lists.size(); ++i) {
    const trace::Value& length = c.columns[scalars.size() + 2 * i];
    const trace::Value& elements = c.columns[scalars.size() + 2 * i + 1];
    const bool rank = is_rank(lists[i].kind);
    out.push_back({lists[i], values_.elements(length, elements, site, rank, is_name(lists[i])),
                   values_.scalar(length, site, nullptr, Meaning::number)});
  }
  return out;
}

}  // namespace reprise::program
