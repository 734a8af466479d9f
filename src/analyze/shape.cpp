#include "analyze/shape.hpp"

#include <algorithm>
#include <limits>
#include <set>

namespace reprise::analyze {
namespace {

using trace::Term;

void widen(Bounds& bounds, std::int64_t v) {
  bounds.min = std::min(bounds.min, v);
  bounds.max = std::max(bounds.max, v);
}

void widen(Bounds& bounds, const std::vector<Term>& terms) {
  for (const Term& t : terms) {
    Bounds own{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()};
    if (t.is_run()) {
      own = {t.value, t.value};
    } else {
      widen(own, t.body);
    }
    widen(bounds, own.min);
    widen(bounds, own.max);
    if (t.step == 0 || t.count == 1) continue;
    // An unbounded stride goes on for as long as anybody asks.
    constexpr std::uint64_t kFar = std::uint64_t{1} << 40;
    const std::uint64_t passes = t.count == trace::kUnbounded ? kFar : t.count - 1;
    const std::int64_t way = trace::wrapping_mul(t.step, passes);
    widen(bounds, trace::wrapping_add(t.step < 0 ? own.min : own.max, way));
  }
}

void measure(const trace::Item& item, std::uint64_t nesting, Shape& shape) {
  const Bounds trips = bounds_of(item.trips);
  if (trips.max > 1) {
    ++shape.loops;
    shape.nesting = std::max(shape.nesting, ++nesting);
  } else if (trips.min < 1) {
    ++shape.branches;
  }
  if (item.is_call()) ++shape.calls;
  for (const trace::Item& b : item.body) measure(b, nesting, shape);
}

}  // namespace

Bounds bounds_of(const trace::Series& series) {
  Bounds out{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()};
  widen(out, series.terms());
  return out;
}

Bounds bounds_of(const trace::Value& value) {
  if (value.classes.empty()) return bounds_of(value.by_stream);
  Bounds out = bounds_of(value.classes.front());
  for (const trace::Series& s : value.classes) widen(out, s.terms());
  return out;
}

Shape shape_of(const trace::Trace& trace) {
  Shape out;
  measure(trace.root, 0, out);
  std::set<trace::FunctionId> functions;
  std::set<std::pair<trace::FunctionId, std::uint32_t>> sites;
  for (const trace::Call& c : trace.calls) {
    functions.insert(c.function);
    sites.emplace(c.function, c.callpath);
  }
  out.functions = functions.size();
  out.sites = sites.size();
  return out;
}

}  // namespace reprise::analyze
