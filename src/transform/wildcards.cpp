#include "transform/wildcards.hpp"

#include <algorithm>

#include "trace/special.hpp"

namespace reprise::transform {

using trace::Event;
using trace::Function;
using trace::Series;
using trace::Term;
using trace::Value;

namespace {

bool has_special(const std::vector<Term>& terms) {
  return std::ranges::any_of(terms, [](const Term& t) {
    return t.is_run() ? trace::is_special(t.value) : has_special(t.body);
  });
}

bool has_special(const Value& v) {
  if (v.classes.empty()) return has_special(v.by_stream.terms());
  return std::ranges::any_of(v.classes, [](const Series& s) { return has_special(s.terms()); });
}

}  // namespace

std::optional<ReceiveColumns> receive_columns(const Function& f) {
  for (std::size_t c = 0; c < f.scalars.size(); ++c) {
    if (f.scalars[c].name != "source") continue;
    for (std::size_t t = c + 1; t < f.scalars.size(); ++t) {
      if (f.scalars[t].kind == trace::Kind::tag) return ReceiveColumns{c, t};
    }
  }
  return std::nullopt;
}

bool is_wild(const Event& event, ReceiveColumns columns) {
  return event.scalars[columns.source] == trace::kAnySource ||
         event.scalars[columns.tag] == trace::kAnyTag;
}

bool may_be_wild(const trace::Call& call) {
  const auto columns = receive_columns(trace::function(call.function));
  if (!columns) return false;
  const auto only = [&](std::size_t c, std::int64_t v) {
    return call.columns[c].is_constant() && call.columns[c].by_stream.at(0) == v;
  };
  // Sources are special where there is no neighbour, too.
  if (only(columns->source, trace::kProcNull)) return has_special(call.columns[columns->tag]);
  return has_special(call.columns[columns->source]) || has_special(call.columns[columns->tag]);
}

bool has_wildcards(const trace::Trace& trace) {
  for (const trace::Call& call : trace.calls) {
    const auto columns = receive_columns(trace::function(call.function));
    if (!columns) continue;
    const auto mentions = [&](std::size_t c, std::int64_t what) {
      const std::function<bool(const std::vector<Term>&)> in = [&](const std::vector<Term>& terms) {
        return std::ranges::any_of(terms, [&](const Term& t) {
          return t.is_run() ? t.value == what : in(t.body);
        });
      };
      const Value& v = call.columns[c];
      if (v.classes.empty()) return in(v.by_stream.terms());
      return std::ranges::any_of(v.classes, [&](const Series& s) { return in(s.terms()); });
    };
    if (mentions(columns->source, trace::kAnySource) || mentions(columns->tag, trace::kAnyTag)) {
      return true;
    }
  }
  return false;
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
  e.sources.append(fixed ? o.met_source : o.source);
  e.tags.append(fixed ? o.met_tag : o.tag);
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

void ResolutionBuilder::add(std::uint32_t call, std::int64_t source, std::int64_t tag) {
  Executions& e = calls_[call];
  if (e.outcomes.empty()) {
    e.sources.append(source);
    e.tags.append(tag);
    e.first = ++e.next;
    return;
  }
  // One before it is still open. What it is now it stays, and does not count.
  ++e.next;
  Outcome fixed{source, tag, source, tag, Outcome::met, true};
  --counts_.resolved;
  e.outcomes.push_back(fixed);
}

ResolutionBuilder::Place ResolutionBuilder::open(std::uint32_t call, std::int64_t source,
                                                 std::int64_t tag) {
  Executions& e = calls_[call];
  if (e.outcomes.empty()) e.first = e.next;
  e.outcomes.push_back({source, tag});
  return {call, e.next++};
}

ResolutionBuilder::Outcome* ResolutionBuilder::find(Place place) {
  const auto found = calls_.find(place.call);
  if (found == calls_.end() || place.execution < found->second.first) return nullptr;
  const std::uint64_t at = place.execution - found->second.first;
  return at < found->second.outcomes.size() ? &found->second.outcomes[at] : nullptr;
}

void ResolutionBuilder::meet(Place place, std::int64_t source, std::int64_t tag) {
  Outcome* o = find(place);
  if (o == nullptr || o->closed) return;
  const bool again = o->state == Outcome::met && (o->met_source != source || o->met_tag != tag);
  o->state = again || o->state == Outcome::varying ? Outcome::varying : Outcome::met;
  o->met_source = source;
  o->met_tag = tag;
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
