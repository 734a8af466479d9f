#include "trace/cursors/cursor.hpp"

#include "trace/values/special.hpp"

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
    : trace_(&trace),
      stream_(stream),
      calls_(trace.calls.size()),
      memberships_(in_world(trace, stream)) {
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

Membership Cursor::membership_in(Kind kind, std::int64_t id) {
  const Membership known = memberships_.find(kind, id);
  if (known.is_known() || trace_->threads == 1 || is_special(id)) return known;
  if (!of_threads_) learn_from_threads();
  return of_threads_->find(kind, id);
}

// What the other threads of the rank make: their streams are not walked here.
void Cursor::learn_from_threads() {
  of_threads_.emplace();
  const std::uint64_t first = stream_ - stream_ % trace_->threads;
  std::uint64_t left = kMaxCreations;
  for (std::uint64_t s = first; s < first + trace_->threads; ++s) {
    if (s != stream_ && !of_threads_->learn_all(*trace_, s, left)) damaged_ = true;
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
    membership_ = membership_in(event_.function->scalars[column].kind, event_.scalars[column]);
  }
  decode_ranks(call, membership_, event_);
  memberships_.learn(event_);
  if (memberships_.size() > kMaxMade) damaged_ = true;
}

}  // namespace reprise::trace
