#include "transform/wildcards.hpp"

#include <algorithm>

#include "mpi/requests/matching.hpp"
#include "trace/values/special.hpp"

namespace reprise::transform {

using trace::Series;
using trace::Term;
using trace::Value;

namespace {

// Special values are far from all others, so a step between both kinds is long.
bool is_long(std::int64_t step) {
  constexpr std::int64_t kLong = std::int64_t{1} << 62;
  return step >= kLong || step <= -kLong;
}

// Steps between special values, or to one of them, may lead to any.
enum class Moves : std::uint8_t { nowhere, near, far };  // by the steps of the terms around

bool may_mention(const std::vector<Term>& terms, std::int64_t what, Moves around = Moves::nowhere) {
  return std::ranges::any_of(terms, [&](const Term& t) {
    const Moves own = is_long(t.step) ? Moves::far : t.step != 0 ? Moves::near : Moves::nowhere;
    const Moves moves = std::max(around, own);
    if (!t.is_run()) return may_mention(t.body, what, moves);
    return t.value == what || moves == Moves::far ||
           (moves == Moves::near && trace::is_special(t.value));
  });
}

bool may_mention(const Value& v, std::int64_t what) {
  if (v.classes.empty()) return may_mention(v.by_stream.terms(), what);
  return std::ranges::any_of(v.classes,
                             [&](const Series& s) { return may_mention(s.terms(), what); });
}

}  // namespace

bool may_be_wild(const trace::Call& call) {
  const auto columns = mpi::receive_columns(trace::function(call.function));
  return columns && (may_mention(call.columns[columns->source], trace::kAnySource) ||
                     may_mention(call.columns[columns->tag], trace::kAnyTag));
}

bool has_wildcards(const trace::Trace& trace) {
  return std::ranges::any_of(trace.calls, may_be_wild);
}

WildcardCounts& WildcardCounts::operator+=(const WildcardCounts& other) {
  resolved += other.resolved;
  cancelled += other.cancelled;
  unmatched += other.unmatched;
  varying += other.varying;
  return *this;
}

void ResolutionBuilder::settle(Executions& e, const Outcome& o) {
  const bool fixed = o.state == Outcome::met;
  counts_.resolved += fixed ? 1 : 0;
  counts_.cancelled += o.state == Outcome::cancelled ? 1 : 0;
  counts_.varying += o.state == Outcome::varying ? 1 : 0;
  counts_.unmatched += o.state == Outcome::open ? 1 : 0;
  const Envelope& becomes = fixed ? o.message : o.given;
  e.sources.append(becomes.source);
  e.tags.append(becomes.tag);
}

void ResolutionBuilder::flush(Executions& e) {
  while (e.done < e.outcomes.size() && e.outcomes[e.done].closed) {
    settle(e, e.outcomes[e.done++]);
  }
  if (2 * e.done < e.outcomes.size()) return;
  e.outcomes.erase(e.outcomes.begin(), e.outcomes.begin() + static_cast<std::ptrdiff_t>(e.done));
  e.first += e.done;
  e.done = 0;
}

void ResolutionBuilder::add(std::uint32_t call, Envelope envelope) {
  Executions& e = calls_[call];
  if (e.outcomes.empty()) {
    e.sources.append(envelope.source);
    e.tags.append(envelope.tag);
    e.first = ++e.next;
    return;
  }
  // An earlier execution is still open. This one keeps its wildcard, and is not counted.
  ++e.next;
  Outcome fixed{envelope, envelope, Outcome::met, true};
  --counts_.resolved;
  e.outcomes.push_back(fixed);
}

ResolutionBuilder::Place ResolutionBuilder::open(std::uint32_t call, Envelope envelope) {
  Executions& e = calls_[call];
  if (e.outcomes.empty()) e.first = e.next;
  e.outcomes.push_back({envelope});
  return {call, e.next++};
}

ResolutionBuilder::Outcome* ResolutionBuilder::find(Place place) {
  const auto found = calls_.find(place.call);
  if (found == calls_.end() || place.execution < found->second.first) return nullptr;
  const std::uint64_t at = place.execution - found->second.first;
  return at < found->second.outcomes.size() ? &found->second.outcomes[at] : nullptr;
}

void ResolutionBuilder::meet(Place place, Envelope message) {
  Outcome* o = find(place);
  if (o == nullptr || o->closed) return;
  const bool again = o->state == Outcome::met && o->message != message;
  o->state = again || o->state == Outcome::varying ? Outcome::varying : Outcome::met;
  o->message = message;
}

void ResolutionBuilder::cancel(Place place) {
  Outcome* o = find(place);
  if (o != nullptr && o->state == Outcome::open) o->state = Outcome::cancelled;
}

void ResolutionBuilder::close(Place place) {
  Outcome* o = find(place);
  if (o == nullptr) return;
  o->closed = true;
  flush(calls_.at(place.call));
}

Resolution ResolutionBuilder::finish() {
  Resolution out;
  for (auto& [call, e] : calls_) {
    for (std::size_t i = e.done; i < e.outcomes.size(); ++i) settle(e, e.outcomes[i]);
    out[call] = {e.sources.finish(), e.tags.finish()};
  }
  calls_.clear();
  return out;
}

}  // namespace reprise::transform
