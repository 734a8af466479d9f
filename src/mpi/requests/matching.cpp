#include "mpi/requests/matching.hpp"

#include <string_view>

#include "trace/values/special.hpp"

namespace reprise::mpi {

using trace::Function;
using trace::Kind;

namespace {

// A tag belongs to the peer before it.
std::optional<std::size_t> tag_behind(const Function& f, std::size_t peer) {
  for (std::size_t t = peer + 1; t < f.scalars.size(); ++t) {
    if (f.scalars[t].kind == Kind::tag) return t;
  }
  return std::nullopt;
}

template <class Columns>
std::optional<Columns> columns_behind(const Function& f, std::string_view peer) {
  for (std::size_t c = 0; c < f.scalars.size(); ++c) {
    if (f.scalars[c].kind != Kind::peer || f.scalars[c].name != peer) continue;
    if (const auto tag = tag_behind(f, c)) return Columns{c, *tag};
  }
  return std::nullopt;
}

}  // namespace

std::optional<SendColumns> send_columns(const Function& f) {
  return columns_behind<SendColumns>(f, "dest");
}

std::optional<ReceiveColumns> receive_columns(const Function& f) {
  return columns_behind<ReceiveColumns>(f, "source");
}

bool is_wild(const trace::Event& event, ReceiveColumns columns) {
  return event.scalars[columns.source] == trace::kAnySource ||
         event.scalars[columns.tag] == trace::kAnyTag;
}

MatchColumns match_columns(const Function& f) {
  MatchColumns out;
  for (std::size_t c = 0; c < f.scalars.size(); ++c) {
    if (f.scalars[c].name == "matched_source") out.scalar = c;
  }
  for (std::size_t l = 0; l < f.lists.size(); ++l) {
    if (f.lists[l].name == "matched_source") out.list = l;
  }
  return out;
}

MatchedMessage scalar_match(const trace::Event& event) {
  const auto at = match_columns(*event.function).scalar;
  if (!at) return {trace::kNone, trace::kNone};
  return {event.scalars[*at], event.scalars[*at + 1]};
}

bool Matches::has_next() const {
  if (columns_.scalar) return true;
  if (!columns_.list) return false;
  return at_ < event_.lists[*columns_.list].size() && at_ < event_.lists[*columns_.list + 1].size();
}

MatchedMessage Matches::next() {
  if (columns_.scalar)
    return {event_.scalars[*columns_.scalar], event_.scalars[*columns_.scalar + 1]};
  if (!has_next()) return {trace::kNone, trace::kNone};
  const std::size_t at = at_++;
  return {event_.lists[*columns_.list][at], event_.lists[*columns_.list + 1][at]};
}

bool Matches::skip_cancelled() {
  if (columns_.scalar || !columns_.list) return false;
  const auto& sources = event_.lists[*columns_.list];
  if (at_ >= sources.size() || sources[at_] != trace::kCancelled) return false;
  ++at_;
  return true;
}

}  // namespace reprise::mpi
