#include "trace/cursor.hpp"

#include "trace/predefined.hpp"
#include "trace/series_sum.hpp"
#include "trace/special.hpp"

namespace reprise::trace {
namespace {

// More passes in a row without a call than this are damage: no recorder writes them.
constexpr std::uint64_t kMaxIdle = std::uint64_t{1} << 16;
// Numbers of communicators and windows: those of freed ones are used again.
constexpr std::size_t kMaxMade = std::size_t{1} << 20;
// Communicators and windows that the other threads of a rank may have made; more are damage.
constexpr std::uint64_t kMaxCreations = std::uint64_t{1} << 22;

}  // namespace

Cursor::Cursor(const Trace& trace, std::uint64_t stream)
    : trace_(&trace), stream_(stream), calls_(trace.calls.size()) {
  const auto rank = static_cast<std::int64_t>(stream / trace.threads);
  comms_[kWorld] = {rank, static_cast<std::int64_t>(trace.ranks)};
  comms_[kSelf] = {0, 1};
  enter(trace.root);
}

// Puts an item on the stack if this stream takes it now. A loop around nothing is passed by.
void Cursor::enter(const Item& item) {
  auto [entry, is_new] = trips_.try_emplace(&item);
  if (is_new) entry->second = ValueCursor(item.trips, stream_);
  const std::int64_t trips = entry->second.next();
  if (trips < 0) damaged_ = true;
  const bool is_empty = !item.is_call() && item.body.empty();
  if (trips > 0 && !is_empty) stack_.push_back({&item, static_cast<std::uint64_t>(trips), 0});
}

bool Cursor::next() {
  idle_ = 0;
  while (!stack_.empty() && !damaged_) {
    Pass& pass = stack_.back();
    const Item& item = *pass.item;
    if (item.is_call()) {
      read_event(item.call);
      if (--pass.left == 0) stack_.pop_back();
      return !damaged_;
    }
    if (pass.child < item.body.size()) {
      enter(item.body[pass.child++]);
      continue;
    }
    pass.child = 0;
    if (--pass.left == 0) stack_.pop_back();
    if (++idle_ > kMaxIdle) damaged_ = true;
  }
  return false;
}

Membership Cursor::membership(Kind kind, std::int64_t id) {
  const auto& known = kind == Kind::window ? windows_ : comms_;
  auto found = known.find(id);
  if (found == known.end() && !is_special(id) && trace_->threads > 1 && !knows_threads_) {
    learn_from_threads();
    found = known.find(id);
  }
  return found == known.end() ? Membership{0, 0} : found->second;
}

// What the other threads of the rank made: their streams are not walked here. Cost: O(nodes) a
// thread, and O(1) for each communicator and window that they make.
void Cursor::learn_from_threads() {
  knows_threads_ = true;
  const std::uint64_t first = stream_ - stream_ % trace_->threads;
  std::uint64_t left = kMaxCreations;
  for (std::uint64_t s = first; s < first + trace_->threads; ++s) {
    if (s != stream_) learn(trace_->root, s, 1, left);
  }
}

// From an item that the stream comes by `passes` times.
void Cursor::learn(const Item& item, std::uint64_t stream, std::uint64_t passes,
                   std::uint64_t& left) {
  const std::int64_t trips = sum_of(item.trips, stream, passes);
  if (trips <= 0) return;
  const auto n = static_cast<std::uint64_t>(trips);
  for (const Item& inner : item.body) learn(inner, stream, n, left);
  if (!item.is_call()) return;
  const Call& call = trace_->calls[item.call];
  for (const Kind kind : {Kind::comm, Kind::window}) {
    const auto made = made_column(function(call.function), kind);
    if (!made) continue;
    if (n > left) {
      damaged_ = true;
      return;
    }
    left -= n;
    ValueCursor ids(call.columns[*made], stream), ranks(call.columns[*made + 1], stream),
        sizes(call.columns[*made + 2], stream);
    auto& known = kind == Kind::window ? windows_ : comms_;
    for (std::uint64_t k = 0; k < n; ++k) {
      const Membership m{ranks.next(), sizes.next()};
      const std::int64_t id = ids.next();
      if (!is_special(id)) known.emplace(id, m);
    }
  }
}

void Cursor::read_event(std::uint32_t index) {
  const Call& call = trace_->calls[index];
  CallCursor& columns = calls_[index];
  if (!columns.started()) columns = CallCursor(call, stream_);
  event_.call = index;
  if (!columns.next(event_)) {
    damaged_ = true;
    return;
  }
  membership_ = {};
  if (const int where = event_.function->communicator; where >= 0) {
    const auto column = static_cast<std::size_t>(where);
    membership_ = membership(event_.function->scalars[column].kind, event_.scalars[column]);
  }
  decode_ranks(call, membership_, event_);
  for (const MadeGroup& made : made_groups(event_)) {
    (made.kind == Kind::comm ? comms_ : windows_)[made.id] = made.membership;
  }
  if (comms_.size() + windows_.size() > kMaxMade) damaged_ = true;
}

}  // namespace reprise::trace
