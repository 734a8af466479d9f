#include "analyze/text/describe.hpp"

#include <fmt/format.h>

#include "base/escape.hpp"
#include "trace/calls/predefined.hpp"
#include "trace/calls/requests.hpp"
#include "trace/values/special.hpp"

namespace reprise::analyze {

using trace::Column;
using trace::Kind;

std::string describe_number(Kind kind, std::int64_t value) {
  if (trace::is_special(value)) {
    const std::string_view name = trace::special_name(value);
    return name.empty() ? std::to_string(value) : std::string(name);
  }
  switch (kind) {
    case Kind::datatype: return trace::type_name(value);
    case Kind::op: return trace::op_name(value);
    case Kind::request: return value < 0 ? trace::request_name(value) : std::to_string(value);
    default: return std::to_string(value);
  }
}

std::string describe_number(const Column& column, std::int64_t value) {
  if (column.enumeration < 0 || value < 0) return describe_number(column.kind, value);
  const trace::Enumeration& e = trace::enumerations()[static_cast<std::size_t>(column.enumeration)];
  const auto n = std::ssize(e.constants);
  if (!e.is_flags) {
    return value < n ? std::string(e.constants[static_cast<std::size_t>(value)])
                     : std::to_string(value - n);
  }
  std::string out;
  for (std::size_t bit = 0; bit < e.constants.size(); ++bit) {
    if (value >> bit & 1) out += fmt::format("{}{}", out.empty() ? "" : "|", e.constants[bit]);
  }
  const std::int64_t rest = value >> n;  // an implementation's own
  if (rest == 0 && !out.empty()) return out;
  return out + fmt::format("{}{}", out.empty() ? "" : "|", rest);
}

std::string describe_event(const trace::Event& event, Texts texts) {
  std::string out(event.function->name);
  for (std::size_t i = 0; i < event.scalars.size(); ++i) {
    const Column& c = event.function->scalars[i];
    out += fmt::format(" {}={}", c.name, describe_number(c.kind, event.scalars[i]));
  }
  for (std::size_t i = 0; i < event.lists.size(); ++i) {
    const Column& c = event.function->lists[i];
    if (texts == Texts::quoted && c.kind == Kind::character) {
      const std::string text(event.lists[i].begin(), event.lists[i].end());
      out += fmt::format(" {}={}", c.name, json_string(text));
      continue;
    }
    out += fmt::format(" {}=[", c.name);
    for (std::size_t k = 0; k < event.lists[i].size(); ++k) {
      out += (k ? "," : "") + describe_number(c.kind, event.lists[i][k]);
    }
    out += "]";
  }
  return out;
}

}  // namespace reprise::analyze
