#include "trace/cursors/membership.hpp"

#include <algorithm>

#include "trace/calls/predefined.hpp"
#include "trace/cursors/call_cursor.hpp"
#include "trace/series/series_sum.hpp"
#include "trace/values/special.hpp"

namespace reprise::trace {

Membership in_world(const Trace& trace, std::uint64_t stream) {
  return {static_cast<std::int64_t>(stream / trace.threads),
          static_cast<std::int64_t>(trace.ranks)};
}

Memberships::Memberships(Membership world) {
  comms_[kWorld] = world;
  comms_[kSelf] = {0, 1};
}

void Memberships::learn(const Event& event) {
  for (const MadeGroup& made : made_groups(event)) add(made.kind, made.id, made.membership);
}

void Memberships::add(Kind kind, std::int64_t id, Membership membership) {
  const auto [entry, is_new] = (kind == Kind::window ? windows_ : comms_).emplace(id, membership);
  if (is_new || entry->second == membership) return;
  if (kind == Kind::window) ambiguous_windows_.insert(id);
  entry->second = membership;
}

Membership Memberships::of(const Event& event) const {
  const int where = event.function->communicator;
  if (where < 0) return {};
  const auto column = static_cast<std::size_t>(where);
  return find(event.function->scalars[column].kind, event.scalars[column]);
}

bool Memberships::learn_all(const Trace& trace, std::uint64_t stream, std::uint64_t& left) {
  return learn_item(trace.root, 1, {trace, stream, left});
}

// Of an item that the stream comes by `passes` times.
bool Memberships::learn_item(const Item& item, std::uint64_t passes, const Learning& learning) {
  const std::int64_t trips = sum_of(item.trips, learning.stream, passes);
  if (trips <= 0) return true;
  const auto n = static_cast<std::uint64_t>(trips);
  if (item.is_call()) return learn_call(learning.trace.calls[item.call], n, learning);
  return std::ranges::all_of(item.body,
                             [&](const Item& inner) { return learn_item(inner, n, learning); });
}

bool Memberships::learn_call(const Call& call, std::uint64_t executions, const Learning& learning) {
  const std::uint64_t stream = learning.stream;
  for (const Kind kind : {Kind::comm, Kind::window}) {
    const auto made = made_column(function(call.function), kind);
    if (!made) continue;
    ValueCursor ids(call.columns[*made], stream), ranks(call.columns[*made + 1], stream),
        sizes(call.columns[*made + 2], stream);
    for (std::uint64_t k = 0; k < executions; ++k) {
      if (learning.left == 0) return false;
      --learning.left;
      const std::int64_t id = ids.next();
      const Membership membership{ranks.next(), sizes.next()};
      if (!is_special(id)) add(kind, id, membership);
    }
  }
  return true;
}

}  // namespace reprise::trace
