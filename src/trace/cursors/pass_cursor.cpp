#include "trace/cursors/pass_cursor.hpp"

#include <algorithm>

#include "base/contract.hpp"

namespace reprise::trace {
namespace {

// As for Cursor: more passes in a row without a call are damage.
constexpr std::uint64_t kMaxIdlePasses = std::uint64_t{1} << 16;

}  // namespace

Outline::Outline(const Trace& trace) : trace_(&trace), node_of_(trace.calls.size(), kNone) {
  add(trace.root);
}

void Outline::add(const Item& item) {
  const auto node = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back({&item, kNone, kNone, 0});
  if (item.is_call()) node_of_[item.call] = node;
  std::uint32_t before = kNone;
  for (const Item& child : item.body) {
    const auto at = static_cast<std::uint32_t>(nodes_.size());
    (before == kNone ? nodes_[node].first_child : nodes_[before].next) = at;
    before = at;
    add(child);
  }
  nodes_[node].end = static_cast<std::uint32_t>(nodes_.size());
}

PassCursor::PassCursor(const Outline& outline, std::uint64_t stream)
    : outline_(&outline),
      stream_(stream),
      trips_(outline.nodes().size()),
      known_(outline.nodes().size()),
      watched_(outline.nodes().size()),
      executions_(outline.trace().calls.size()),
      columns_(outline.trace().calls.size()) {
  enter(0);
}

// Puts a node on the stack if this stream takes it now.
void PassCursor::enter(std::uint32_t node) {
  const Outline::Node& n = outline_->nodes()[node];
  if (!known_[node]) {
    trips_[node] = StreamValue(n.item->trips, stream_);
    known_[node] = true;
  }
  const std::int64_t trips = trips_[node].next();
  if (trips < 0) idle_ = kMaxIdlePasses + 1;
  if (trips > 0)
    stack_.push_back({node, n.first_child, static_cast<std::uint64_t>(trips), ++entries_});
}

PassCursor::At PassCursor::next() {
  while (!stack_.empty() && idle_ <= kMaxIdlePasses) {
    Running& top = stack_.back();
    const Outline::Node& n = outline_->nodes()[top.node];
    if (n.item->is_call()) {
      call_ = n.item->call;
      if (--top.left == 0) stack_.pop_back();
      idle_ = 0;
      ++executions_[call_];
      return At::call;
    }
    if (top.child != Outline::kNone) {
      const std::uint32_t child = top.child;
      top.child = outline_->nodes()[child].next;
      enter(child);
      continue;
    }
    if (--top.left == 0) {
      stack_.pop_back();
    } else {
      top.child = n.first_child;
      if (watched_[top.node]) {
        node_ = top.node;
        return At::pass;
      }
    }
    ++idle_;
  }
  return idle_ > kMaxIdlePasses ? At::damage : At::end;
}

PassCursor::Columns& PassCursor::columns_of(std::uint32_t index) {
  if (columns_[index]) return *columns_[index];
  columns_[index] = std::make_unique<Columns>();
  Columns& out = *columns_[index];
  const Call& call = outline_->trace().calls[index];
  const Function& f = function(call.function);
  out.event.call = index;
  out.event.function = &f;
  out.event.scalars.resize(f.scalars.size());
  out.event.lists.resize(f.lists.size());
  std::vector<bool> list_varies(f.lists.size());
  std::vector<StreamValue> values;
  values.reserve(call.columns.size());
  for (std::uint32_t c = 0; c < call.columns.size(); ++c) {
    values.emplace_back(call.columns[c], stream_);
    const bool is_list = c >= f.scalars.size();
    if (is_list && !values[c].is_constant()) list_varies[(c - f.scalars.size()) / 2] = true;
  }
  for (std::uint32_t c = 0; c < f.scalars.size(); ++c) {
    out.event.scalars[c] = values[c].is_constant() ? values[c].next() : 0;
    if (!values[c].is_constant()) out.varying.push_back({c, std::move(values[c])});
  }
  for (std::uint32_t l = 0; l < f.lists.size(); ++l) {
    const auto c = static_cast<std::uint32_t>(f.scalars.size()) + 2 * l;
    // A list of constant length whose elements repeat with it is the same each time.
    if (list_varies[l] && values[c].is_constant()) {
      const std::int64_t length = std::clamp<std::int64_t>(values[c].next(), 0, kMaxList);
      const auto n = static_cast<std::uint64_t>(length);
      if (n > 0 && values[c + 1].series().periodic_until(0, n) == SeekCursor::kForever) {
        out.event.lists[l].resize(n);
        for (std::int64_t& v : out.event.lists[l]) v = values[c + 1].next();
        continue;
      }
    }
    const std::int64_t length = list_varies[l] ? 0 : values[c].next();
    if (list_varies[l] || length < 0 || length > kMaxList) {
      out.varying.push_back({c, std::move(values[c])});
      out.varying.push_back({c + 1, std::move(values[c + 1])});
    } else {
      out.event.lists[l].assign(static_cast<std::size_t>(length), values[c + 1].next());
    }
  }
  return out;
}

Event* PassCursor::read() {
  Columns& columns = columns_of(call_);
  Event& event = columns.event;
  const std::size_t scalars = event.scalars.size();
  for (Varying& v : columns.varying) {
    if (v.column < scalars) {
      event.scalars[v.column] = v.value.next();
      continue;
    }
    std::vector<std::int64_t>& list = event.lists[(v.column - scalars) / 2];
    if ((v.column - scalars) % 2 == 0) {
      const std::int64_t length = v.value.next();
      if (length < 0 || length > kMaxList) return nullptr;
      list.resize(static_cast<std::size_t>(length));
    } else {
      for (std::int64_t& element : list) element = v.value.next();
    }
  }
  return &event;
}

std::span<const PassCursor::Varying> PassCursor::varying_of(std::uint32_t call) const {
  return columns_[call] ? columns_[call]->varying : std::span<const Varying>();
}

PassCursor::Mark PassCursor::mark(std::uint32_t node) const {
  Mark out;
  const auto& nodes = outline_->nodes();
  for (std::uint32_t n = node + 1; n < nodes[node].end; ++n) {
    if (known_[n] && !trips_[n].is_constant()) out.push_back(trips_[n].position());
    if (!nodes[n].item->is_call() || executions_[nodes[n].item->call] == 0) continue;
    out.push_back(executions_[nodes[n].item->call]);
    for (const Varying& v : varying_of(nodes[n].item->call)) out.push_back(v.value.position());
  }
  return out;
}

std::uint64_t PassCursor::repeats(std::uint32_t node, const Mark& before,
                                  std::uint64_t limit) const {
  const auto& nodes = outline_->nodes();
  std::size_t at = 0;
  const auto look_at = [&](const SeekCursor& series) {
    const std::uint64_t from = before[at], now = series.position();
    ++at;
    if (now == from) return;  // not used
    const std::uint64_t until = series.periodic_until(from, now);
    if (until == SeekCursor::kForever) return;
    limit = std::min(limit, until <= now ? 0 : (until - now) / (now - from));
  };
  for (std::uint32_t n = node + 1; n < nodes[node].end && limit > 0; ++n) {
    if (known_[n] && !trips_[n].is_constant()) {
      if (at >= before.size()) return 0;
      look_at(trips_[n].series());
    }
    if (!nodes[n].item->is_call() || executions_[nodes[n].item->call] == 0) continue;
    const std::span<const Varying> varying = varying_of(nodes[n].item->call);
    // What has been met since has no mark: the passes differed.
    if (at + varying.size() >= before.size()) return 0;
    ++at;
    for (const Varying& v : varying) {
      if (v.value.is_constant()) {
        ++at;
      } else {
        look_at(v.value.series());
      }
    }
  }
  return limit > 0 && at != before.size() ? 0 : limit;
}

void PassCursor::leap(std::uint32_t node, const Mark& before, std::uint64_t times,
                      std::uint64_t passes) {
  REPRISE_REQUIRE(stack_.back().node == node && stack_.back().left > times * passes);
  stack_.back().left -= times * passes;
  const auto& nodes = outline_->nodes();
  std::size_t at = 0;
  const auto move = [&](SeekCursor& series) {
    const std::uint64_t period = series.position() - before[at++];
    if (period > 0) series.seek(series.position() + times * period);
  };
  for (std::uint32_t n = node + 1; n < nodes[node].end; ++n) {
    if (known_[n] && !trips_[n].is_constant()) move(trips_[n].series());
    if (!nodes[n].item->is_call() || executions_[nodes[n].item->call] == 0) continue;
    const std::uint32_t call = nodes[n].item->call;
    executions_[call] += times * (executions_[call] - before[at++]);
    if (!columns_[call]) continue;
    for (Varying& v : columns_[call]->varying) {
      if (v.value.is_constant()) {
        ++at;
      } else {
        move(v.value.series());
      }
    }
  }
}

}  // namespace reprise::trace
