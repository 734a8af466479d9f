#include "analyze/totals/executions.hpp"

#include <algorithm>

#include "analyze/text/series_text.hpp"

namespace reprise::analyze {

using trace::Item;
using trace::Term;

namespace {

void widen(Bounds& bounds, std::int64_t v) {
  bounds.min = std::min(bounds.min, v);
  bounds.max = std::max(bounds.max, v);
}

// REQUIRES: no term is unbounded, and there is one.
Bounds bounds_of(const std::vector<Term>& terms) {
  const std::int64_t first = trace::first_value(terms.front());
  Bounds out{first, first};
  for (const Term& t : terms) {
    const Bounds once = t.is_run() ? Bounds{t.value, t.value} : bounds_of(t.body);
    const std::int64_t way = trace::wrapping_mul(t.step, t.count - 1);
    for (const std::int64_t v : {once.min, once.max}) {
      widen(out, v);
      widen(out, trace::wrapping_add(v, way));
    }
  }
  return out;
}

}  // namespace

Executions::Executions(const trace::Trace& trace) : trace_(trace), classes_(trace.streams()) {
  add(trace.root);
  counted_.resize(classes_.size());
  representatives_ = classes_.representatives();
}

std::uint64_t Executions::of(const Item& item, std::uint64_t stream) {
  return counts(stream).items[index_.at(&item)];
}

std::uint64_t Executions::of(std::uint32_t call, std::uint64_t stream) {
  return counts(stream).calls[call];
}

std::uint64_t Executions::busiest(const Item& item) {
  return std::ranges::max(representatives_, {}, [&](std::uint64_t s) { return of(item, s); });
}

std::uint64_t Executions::busiest(std::uint32_t call) {
  return std::ranges::max(representatives_, {}, [&](std::uint64_t s) { return of(call, s); });
}

std::vector<std::uint64_t> Executions::coming(const Item& item) {
  return streams_where([&](std::uint64_t s) { return of(item, s) > 0; });
}

std::vector<std::uint64_t> Executions::entering(const Item& item) {
  return streams_where([&](std::uint64_t s) { return trips_of(item, s, of(item, s)) > 0; });
}

// `holds` is asked once for each class of streams.
std::vector<std::uint64_t> Executions::streams_where(
    const std::function<bool(std::uint64_t)>& holds) const {
  std::vector<char> by_class;
  for (const std::uint64_t s : representatives_) by_class.push_back(holds(s));
  std::vector<std::uint64_t> out;
  for (std::uint64_t s = 0; s < trace_.streams(); ++s) {
    if (by_class[classes_.class_of()[s]]) out.push_back(s);
  }
  return out;
}

void Executions::add(const Item& item) {
  classes_.refine(item.trips);
  index_.emplace(&item, index_.size());
  for (const Item& b : item.body) add(b);
}

Executions::Counts& Executions::counts(std::uint64_t stream) {
  Counts& c = counted_[classes_.class_of()[stream]];
  if (c.items.empty()) {
    c.items.resize(index_.size());
    c.calls.resize(trace_.calls.size());
    count(trace_.root, stream, 1, c);
  }
  return c;
}

void Executions::count(const Item& item, std::uint64_t stream, std::uint64_t passes,
                       Counts& out) const {
  out.items[index_.at(&item)] = passes;
  const std::uint64_t n = trips_of(item, stream, passes);
  if (item.is_call()) out.calls[item.call] += n;
  for (const Item& b : item.body) count(b, stream, n, out);
}

Bounds trip_bounds(const trace::Trace& trace, const Item& item, Executions& executions) {
  const trace::Value& trips = item.trips;
  if (trips.classes.empty()) return bounds_of(first_terms(trips.by_stream, trace.streams()));
  std::vector<std::uint64_t> longest(trips.classes.size(), 0);
  for (const std::uint64_t s : executions.representatives()) {
    const auto k = static_cast<std::size_t>(trips.series_of(s) - trips.classes.data());
    longest[k] = std::max(longest[k], executions.of(item, s));
  }
  std::vector<Bounds> all;
  for (std::size_t k = 0; k < longest.size(); ++k) {
    const std::vector<Term> terms = first_terms(trips.classes[k], longest[k]);
    if (!terms.empty()) all.push_back(bounds_of(terms));
  }
  if (all.empty()) return {};
  Bounds out = all.front();
  for (const Bounds& b : all) {
    widen(out, b.min);
    widen(out, b.max);
  }
  return out;
}

}  // namespace reprise::analyze
