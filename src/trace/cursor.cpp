#include "trace/cursor.hpp"

#include "trace/predefined.hpp"
#include "trace/special.hpp"

namespace reprise::trace {
namespace {

// More passes in a row without a call than this are damage: no recorder writes them.
constexpr std::uint64_t kMaxIdle = std::uint64_t{1} << 16;
// Longer lists than this are damage.
constexpr std::int64_t kMaxList = std::int64_t{1} << 24;
// Creations at one call site that are looked through for a communicator of another thread.
constexpr int kMaxCreations = 1 << 20;

// Where a function that makes a communicator or window names it; the stream's rank in it and its
// size follow.
std::optional<std::size_t> made_column(const Function& f, Kind kind) {
  for (std::size_t c = 0; c + 2 < f.scalars.size(); ++c) {
    if (f.scalars[c].kind == kind && f.scalars[c + 1].name.ends_with("_rank")) return c;
  }
  return std::nullopt;
}

}  // namespace

Cursor::Cursor(const Trace& trace, std::uint64_t stream)
    : trace_(&trace), stream_(stream), columns_(trace.calls.size()) {
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

Cursor::Membership Cursor::membership(Kind kind, std::int64_t id) {
  auto& known = kind == Kind::window ? windows_ : comms_;
  const auto found = known.find(id);
  if (found != known.end()) return found->second;
  // Another thread of the rank made it: its stream has not been walked here.
  const Membership m = trace_->threads > 1 ? find_membership(kind, id) : Membership{0, 0};
  return known[id] = m;
}

Cursor::Membership Cursor::find_membership(Kind kind, std::int64_t id) const {
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
  const Function& f = function(call.function);
  std::vector<ValueCursor>& columns = columns_[index];
  if (columns.empty()) {
    for (const Value& v : call.columns) columns.emplace_back(v, stream_);
  }
  event_.call = index;
  event_.function = &f;
  event_.scalars.resize(f.scalars.size());
  event_.lists.resize(f.lists.size());
  for (std::size_t c = 0; c < f.scalars.size(); ++c) event_.scalars[c] = columns[c].next();

  Membership m{0, 0};
  if (f.communicator >= 0) {
    const auto where = static_cast<std::size_t>(f.communicator);
    m = membership(f.scalars[where].kind, event_.scalars[where]);
  }
  const auto decode = [&](Kind kind, std::size_t c, std::int64_t v) {
    if (kind != Kind::peer && kind != Kind::matched) return v;
    return decode_rank(call.columns[c].encoding, v, m.rank, m.size);
  };
  for (std::size_t c = 0; c < f.scalars.size(); ++c) {
    event_.scalars[c] = decode(f.scalars[c].kind, c, event_.scalars[c]);
  }
  for (std::size_t l = 0; l < f.lists.size(); ++l) {
    const std::size_t c = f.scalars.size() + 2 * l;
    const std::int64_t length = columns[c].next();
    if (length < 0 || length > kMaxList) {
      damaged_ = true;
      return;
    }
    event_.lists[l].resize(static_cast<std::size_t>(length));
    for (std::int64_t& v : event_.lists[l]) v = decode(f.lists[l].kind, c + 1, columns[c + 1].next());
  }
  for (const Kind kind : {Kind::comm, Kind::window}) {
    const auto made = made_column(f, kind);
    if (!made || is_special(event_.scalars[*made])) continue;
    (kind == Kind::comm ? comms_ : windows_)[event_.scalars[*made]] = {event_.scalars[*made + 1],
                                                                       event_.scalars[*made + 2]};
  }
}

}  // namespace reprise::trace
