#include "trace/cursor.hpp"

#include "trace/predefined.hpp"
#include "trace/special.hpp"

namespace reprise::trace {
namespace {

// More passes in a row without a call than this are damage: no recorder writes them.
constexpr std::uint64_t kMaxIdle = std::uint64_t{1} << 24;
// Longer lists than this are damage.
constexpr std::int64_t kMaxList = std::int64_t{1} << 28;

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

Cursor::Membership Cursor::membership(Kind kind, std::int64_t id) const {
  const auto& from = kind == Kind::window ? windows_ : comms_;
  const auto found = from.find(id);
  return found == from.end() ? Membership{0, 0} : found->second;
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
  // A new communicator or window comes with the stream's rank in it and its size.
  for (std::size_t c = 0; c + 2 < f.scalars.size(); ++c) {
    const Kind kind = f.scalars[c].kind;
    if ((kind != Kind::comm && kind != Kind::window) || !f.scalars[c + 1].name.ends_with("_rank") ||
        is_special(event_.scalars[c])) {
      continue;
    }
    (kind == Kind::comm ? comms_ : windows_)[event_.scalars[c]] = {event_.scalars[c + 1],
                                                                   event_.scalars[c + 2]};
  }
}

}  // namespace reprise::trace
