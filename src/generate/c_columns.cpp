#include "generate/c_columns.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "trace/predefined.hpp"

namespace reprise::generate {

using trace::Encoding;
using trace::Kind;
using trace::Value;

namespace {

std::string upper(std::string_view name) {
  std::string out(name);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return std::toupper(c); });
  return out;
}

}  // namespace

Columns::Columns(const CallTools& tools, const trace::Call& call, std::size_t site, Point& point)
    : t_(tools),
      call_(call),
      function_(trace::function(call.function)),
      arguments_(generate::arguments(call.function)),
      site_(site),
      point_(point) {}

bool Columns::has(ArgumentKind kind) const {
  return std::ranges::any_of(arguments_, [&](const Argument& a) { return a.kind == kind; });
}

std::string Columns::name(const Argument& a) const {
  return fmt::format("{}_{}", upper(a.name), site_);
}

ListColumn Columns::list(const Argument& a) const {
  const std::size_t at = function_.scalars.size() + 2 * static_cast<std::size_t>(a.column);
  return {call_.columns[at], call_.columns[at + 1]};
}

Reading Columns::plain() {
  return {"long long",
          [](std::int64_t v) { return trace::is_special(v) ? "0" : number_text(v); }};
}

std::string Columns::special_word(std::int64_t v) {
  return v == trace::kNone ? "0" : std::string(trace::special_name(v));
}

Reading Columns::ranks() {
  return {"int",
          [](std::int64_t v) { return trace::is_special(v) ? special_word(v) : number_text(v); }};
}

Reading Columns::constants(int enumeration) {
  const trace::Enumeration& e = trace::enumerations()[static_cast<std::size_t>(enumeration)];
  const auto word = [&e](std::int64_t v) -> std::string {
    if (trace::is_special(v)) return "0";
    const auto n = std::ssize(e.constants);
    if (!e.is_flags) {
      if (v < 0) return number_text(v);
      return v < n ? std::string(e.constants[static_cast<std::size_t>(v)]) : number_text(v - n);
    }
    std::string out;
    for (std::size_t i = 0; i < e.constants.size(); ++i) {
      if (v >> i & 1) out += (out.empty() ? "" : " | ") + std::string(e.constants[i]);
    }
    return out.empty() ? "0" : out;
  };
  return {"int", word, false};
}

std::string Columns::number(const Argument& a, const Reading& reading) const {
  return t_.values.at(scalar(a), point_, reading, name(a));
}

std::string Columns::object(const Argument& a, Kind kind) const {
  return t_.objects.use(kind, scalar(a), point_, name(a));
}

std::string Columns::object_place(const Argument& a, Kind kind) const {
  return t_.objects.place(kind, scalar(a), point_, name(a));
}

std::string Columns::communicator() const {
  if (has(ArgumentKind::win)) return window_communicator();
  if (function_.communicator < 0) return "MPI_COMM_WORLD";
  for (const Argument& a : arguments_) {
    if (a.column == function_.communicator && !a.is_list)
      return t_.objects.use(Kind::comm, scalar(a), point_, name(a));
  }
  return "MPI_COMM_WORLD";
}

std::string Columns::window_communicator() const {
  std::string found;
  for (const trace::Call& c : t_.trace.calls) {
    const trace::Function& f = trace::function(c.function);
    if (!(f.traits & trace::traits::kCreate)) continue;
    const bool makes = std::ranges::any_of(
        f.scalars, [](const trace::Column& col) { return col.kind == Kind::window; });
    for (std::size_t i = 0; makes && i < f.scalars.size(); ++i) {
      if (f.scalars[i].kind != Kind::comm) continue;
      const Value& v = c.columns[i];
      const std::string text =
          v.is_constant() ? t_.objects.reading(Kind::comm).word(v.by_stream.at(0)) : "?";
      if (!found.empty() && found != text) found = "?";
      if (found.empty()) found = text;
    }
  }
  if (found == "?" || found.empty())
    throw Unwritable{
        "the targets in its windows are relative to the rank in several communicators"};
  return found;
}

bool Columns::is_world() const {
  if (has(ArgumentKind::win)) return false;
  return function_.communicator >= 0 &&
         call_.columns[static_cast<std::size_t>(function_.communicator)] ==
             Value::constant(trace::kWorld);
}

std::string_view Columns::way(Encoding encoding) {
  switch (encoding) {
    case Encoding::absolute: return {};
    case Encoding::relative: return "around";
    case Encoding::exclusive_or: return "across";
  }
  return {};
}

std::string Columns::peer(const Argument& a) const {
  const Value& v = scalar(a);
  if (v.encoding == Encoding::absolute) return number(a, ranks());
  if (is_world()) {
    bool decoded = false;
    const auto size = static_cast<std::int64_t>(t_.trace.ranks);
    const Decode decode = [&](std::uint64_t s, std::int64_t stored) {
      return trace::decode_rank(v.encoding, stored,
                                static_cast<std::int64_t>(s / t_.trace.threads), size);
    };
    const std::string text = t_.values.at(v, point_, ranks(), name(a), decode, &decoded);
    if (decoded) return text;
  }
  const std::string written = number(a, ranks());
  if (written == "MPI_PROC_NULL") return written;
  const std::string comm = communicator();
  const std::string how(written == "0" ? "rank_in" : way(v.encoding));
  t_.source.need(how);
  return written == "0" ? fmt::format("{}({})", how, comm)
                        : fmt::format("{}({}, {})", how, comm, written);
}

}  // namespace reprise::generate
