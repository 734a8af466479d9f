#include "analyze/shape.hpp"

#include <algorithm>
#include <set>

#include "analyze/totals/executions.hpp"

namespace reprise::analyze {
namespace {

void measure(const trace::Trace& trace, const trace::Item& item, std::uint64_t nesting,
             Executions& executions, Shape& shape) {
  if (!item.is_call() && item.body.empty()) return;
  const Bounds trips = trip_bounds(trace, item, executions);
  if (trips.max > 1) {
    ++shape.loops;
    shape.nesting = std::max(shape.nesting, ++nesting);
  } else if (trips.min < 1) {
    ++shape.branches;
  }
  if (item.is_call()) ++shape.calls;
  for (const trace::Item& b : item.body) measure(trace, b, nesting, executions, shape);
}

}  // namespace

Shape shape_of(const trace::Trace& trace) {
  Shape out;
  Executions executions(trace);
  measure(trace, trace.root, 0, executions, out);
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
