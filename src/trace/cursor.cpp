#include "trace/cursor.hpp"

#include "trace/predefined.hpp"

namespace reprise::trace {
namespace {

// More passes in a row without a call than this are damage: no recorder writes them.
constexpr std::uint64_t kMaxIdle = std::uint64_t{1} << 16;
// Creations at one call site that are looked through for a communicator of another thread.
constexpr int kMaxCreations = 1 << 20;

}  // namespace

Cursor::Cursor(const Trace& trace, std::uint64_t stream)
    : trace_(&trace), stream_(stream), calls_(trace.calls.size()) {
  const auto rank = static_cast<std::int64_t>(stream / trace.threads);
  comms_[kWorld] = {rank, static_cast<std::int64_t>(trace.ranks)};
  comms_[kSelf] = {0, 1};
  enter(trace.root);
}

// Puts an item on the stack if this stream takes it now.
void Cursor::enter(const Item& item) {
  auto [entry, is_new] = trips_.try_emplace(&item);
  if (is_new) entry->second = ValueCursor(item.trips, stream_);
  const std::int64_t trips = entry->second.next();
  if (trips < 0) damaged_ = true;
  if (trips > 0) stack_.push_back({&item, static_cast<std::uint64_t>(trips), 0});
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
  auto& known = kind == Kind::window ? windows_ : comms_;
  const auto found = known.find(id);
  if (found != known.end()) return found->second;
  // Another thread of the rank made it: its stream has not been walked here.
  const Membership m = trace_->threads > 1 ? find_membership(kind, id) : Membership{0, 0};
  return known[id] = m;
}

Membership Cursor::find_membership(Kind kind, std::int64_t id) const {
  const std::uint64_t first = stream_ - stream_ % trace_->threads;
  for (const Call& call : trace_->calls) {
    const Function& f = function(call.function);
    const auto made = made_column(f, kind);
    if (!made) continue;
    for (std::uint64_t s = first; s < first + trace_->threads; ++s) {
      ValueCursor ids(call.columns[*made], s), ranks(call.columns[*made + 1], s),
          sizes(call.columns[*made + 2], s);
      for (int k = 0; k < kMaxCreations; ++k) {
        const Membership m{ranks.next(), sizes.next()};
        if (ids.next() == id) return m;
        if (ids.is_constant()) break;
      }
    }
  }
  return {0, 0};
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
  Membership m;
  if (const int where = event_.function->communicator; where >= 0) {
    const auto column = static_cast<std::size_t>(where);
    m = membership(event_.function->scalars[column].kind, event_.scalars[column]);
  }
  decode_ranks(call, m, event_);
  for (const MadeGroup& made : made_groups(event_)) {
    (made.kind == Kind::comm ? comms_ : windows_)[made.id] = made.membership;
  }
}

}  // namespace reprise::trace
