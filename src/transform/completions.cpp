#include "transform/completions.hpp"

#include "trace/special.hpp"

namespace reprise::transform {

MatchColumns match_columns(const trace::Function& f) {
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

MatchedMessage Matches::next() {
  if (columns_.scalar)
    return {event_.scalars[*columns_.scalar], event_.scalars[*columns_.scalar + 1]};
  if (!columns_.list) return {trace::kNone, trace::kNone};
  const auto& sources = event_.lists[*columns_.list];
  const auto& tags = event_.lists[*columns_.list + 1];
  if (at_ >= sources.size() || at_ >= tags.size()) return {trace::kNone, trace::kNone};
  const MatchedMessage out{sources[at_], tags[at_]};
  ++at_;
  return out;
}

bool Matches::skip_cancelled() {
  if (columns_.scalar || !columns_.list) return false;
  const auto& sources = event_.lists[*columns_.list];
  if (at_ >= sources.size() || sources[at_] != trace::kCancelled) return false;
  ++at_;
  return true;
}

}  // namespace reprise::transform
