#include "write/c/calls/receives.hpp"

#include <algorithm>

#include "trace/calls/predefined.hpp"
#include "write/c/calls/arguments.hpp"

namespace reprise::write::c {
namespace {

template <class Holds>
bool any_of(const std::vector<trace::Term>& terms, const Holds& holds) {
  return std::ranges::any_of(terms, [&](const trace::Term& t) {
    // Of a series that steps, some value may be.
    return !t.is_run() ? t.step != 0 || any_of(t.body, holds) : t.step != 0 || holds(t.value);
  });
}

// Whether some execution may have a value for which `holds`.
template <class Holds>
bool may_be(const trace::Value& value, const Holds& holds) {
  if (value.classes.empty()) return any_of(value.by_stream.terms(), holds);
  return std::ranges::any_of(value.classes,
                             [&](const trace::Series& s) { return any_of(s.terms(), holds); });
}

bool sends_single_elements(const trace::Call& call) {
  const auto all = arguments(call.function);
  const auto column = [&](int argument) -> const trace::Value& {
    const int c = all[static_cast<std::size_t>(argument)].column;
    return call.columns[static_cast<std::size_t>(c)];
  };
  return std::ranges::any_of(all, [&](const Argument& buffer) {
    if (buffer.kind != ArgumentKind::sendbuf || buffer.count < 0 || buffer.datatype < 0)
      return false;
    if (all[static_cast<std::size_t>(buffer.count)].scale != Scale::sent) return false;
    return may_be(column(buffer.count), [](std::int64_t n) { return n == 1; }) &&
           may_be(column(buffer.datatype),
                  [](std::int64_t type) { return type >= trace::kFirstMadeType; });
  });
}

}  // namespace

bool sends_single_elements(const trace::Trace& trace) {
  return std::ranges::any_of(trace.calls,
                             [](const trace::Call& c) { return sends_single_elements(c); });
}

}  // namespace reprise::write::c
