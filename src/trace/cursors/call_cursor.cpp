#include "trace/cursors/call_cursor.hpp"

#include "trace/values/special.hpp"

namespace reprise::trace {

CallCursor::CallCursor(const Call& call, std::uint64_t stream) : call_(&call) {
  columns_.reserve(call.columns.size());
  for (const Value& v : call.columns) columns_.emplace_back(v, stream);
}

bool CallCursor::next(Event& event) {
  const Function& f = function(call_->function);
  event.function = &f;
  event.scalars.resize(f.scalars.size());
  event.lists.resize(f.lists.size());
  for (std::size_t c = 0; c < f.scalars.size(); ++c) event.scalars[c] = columns_[c].next();
  for (std::size_t l = 0; l < f.lists.size(); ++l) {
    const std::size_t c = f.scalars.size() + 2 * l;
    const std::int64_t length = columns_[c].next();
    if (length < 0 || length > kMaxList) return false;
    event.lists[l].resize(static_cast<std::size_t>(length));
    for (std::int64_t& v : event.lists[l]) v = columns_[c + 1].next();
  }
  return true;
}

void decode_ranks(const Call& call, Membership m, Event& event) {
  const Function& f = *event.function;
  const auto decode = [&](Kind kind, std::size_t c, std::int64_t& v) {
    if (kind != Kind::peer && kind != Kind::matched) return;
    v = decode_rank(call.columns[c].encoding, v, m);
  };
  for (std::size_t c = 0; c < f.scalars.size(); ++c) decode(f.scalars[c].kind, c, event.scalars[c]);
  for (std::size_t l = 0; l < f.lists.size(); ++l) {
    for (std::int64_t& v : event.lists[l]) decode(f.lists[l].kind, f.scalars.size() + 2 * l + 1, v);
  }
}

std::optional<std::size_t> made_column(const Function& f, Kind kind) {
  for (std::size_t c = 0; c + 2 < f.scalars.size(); ++c) {
    if (f.scalars[c].kind == kind && f.scalars[c + 1].name.ends_with("_rank")) return c;
  }
  return std::nullopt;
}

std::vector<MadeGroup> made_groups(const Event& event) {
  std::vector<MadeGroup> out;
  if (!(event.function->traits & traits::kCreate)) return out;
  for (const Kind kind : {Kind::comm, Kind::window}) {
    const auto made = made_column(*event.function, kind);
    if (!made || is_special(event.scalars[*made])) continue;
    out.push_back(
        {kind, event.scalars[*made], {event.scalars[*made + 1], event.scalars[*made + 2]}});
  }
  return out;
}

}  // namespace reprise::trace
