#include "simulate/lower/call_loops.hpp"

#include <algorithm>

namespace reprise::simulate {
namespace {

bool may_reach(const std::vector<trace::Term>& terms, std::int64_t least) {
  return std::ranges::any_of(terms, [&](const trace::Term& t) {
    // Falling runs begin with their greatest, rising ones are few.
    return t.is_run() ? t.value >= least || t.step > 0 : t.step > 0 || may_reach(t.body, least);
  });
}

bool may_reach(const trace::Value& v, std::int64_t least) {
  if (v.classes.empty()) return may_reach(v.by_stream.terms(), least);
  return std::ranges::any_of(v.classes,
                             [&](const trace::Series& s) { return may_reach(s.terms(), least); });
}

bool has_call_loops(const trace::Item& item, std::int64_t least) {
  if (item.is_call()) return may_reach(item.trips, least);
  return std::ranges::any_of(item.body,
                             [&](const trace::Item& i) { return has_call_loops(i, least); });
}

void wrap(trace::Item& item, std::int64_t least) {
  for (trace::Item& i : item.body) wrap(i, least);
  if (!item.is_call() || !may_reach(item.trips, least)) return;
  trace::Item call{.call = item.call, .body = {}};
  item.call = trace::Item::kBody;
  item.body.push_back(std::move(call));
}

// `seen`: by call, whether an item before makes it.
void find_repeated(const trace::Item& item, bool is_in_loop, std::vector<bool>& seen,
                   std::vector<bool>& out) {
  is_in_loop = is_in_loop || may_reach(item.trips, 2);
  if (item.is_call()) {
    if (is_in_loop || seen[item.call]) out[item.call] = true;
    seen[item.call] = true;
  }
  for (const trace::Item& inner : item.body) find_repeated(inner, is_in_loop, seen, out);
}

}  // namespace

std::optional<trace::Trace> with_call_loops(const trace::Trace& trace, std::int64_t least) {
  if (!has_call_loops(trace.root, least)) return {};
  trace::Trace out = trace;
  wrap(out.root, least);
  return out;
}

std::vector<bool> repeated_calls(const trace::Trace& trace) {
  std::vector<bool> seen(trace.calls.size()), out(trace.calls.size());
  find_repeated(trace.root, false, seen, out);
  return out;
}

}  // namespace reprise::simulate
