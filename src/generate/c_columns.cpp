#include "generate/c_columns.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "trace/predefined.hpp"
#include "trace/series_map.hpp"

namespace reprise::generate {

using trace::Encoding;
using trace::Kind;
using trace::Value;

namespace {

constexpr std::uint64_t kMaxLooked = 1 << 20;  // values of a series

// Whether the first n are nothing but numbers of ranks.
bool are_ranks(const trace::Series& series, std::uint64_t n, std::int64_t size) {
  if (n > kMaxLooked) return false;
  trace::SeriesCursor cursor(series);
  for (std::uint64_t k = 0; k < n; ++k) {
    const std::int64_t v = cursor.next();
    if (v < 0 || v >= size) return false;
  }
  return true;
}

std::string upper(std::string_view name) {
  std::string out(name);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return std::toupper(c); });
  return out;
}

}  // namespace

Columns::Columns(const CallTools& tools, std::uint32_t call, std::size_t site, Point& point)
    : t_(tools),
      number_(call),
      call_(tools.trace.calls[call]),
      function_(trace::function(call_.function)),
      arguments_(generate::arguments(call_.function)),
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
  const bool is_of_root = has(ArgumentKind::root);
  return {call_.columns[at], call_.columns[at + 1], is_of_root};
}

Reading Columns::plain() {
  return {"long long", [](std::int64_t v) { return trace::is_special(v) ? "0" : number_text(v); }};
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
  if (function_.communicator < 0) return "WORLD";
  for (const Argument& a : arguments_) {
    if (a.column == function_.communicator && !a.is_list)
      return t_.objects.use(Kind::comm, scalar(a), point_, name(a));
  }
  return "WORLD";
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

std::string_view Columns::way(Encoding encoding) {
  switch (encoding) {
    case Encoding::absolute: return {};
    case Encoding::relative: return "around";
    case Encoding::exclusive_or: return "across";
  }
  return {};
}

std::optional<std::string> Columns::decoded_peer(const Argument& a) const {
  const Value& v = scalar(a);
  std::vector<trace::Membership> places;
  for (const std::uint64_t s : point_.streams) {
    places.push_back(t_.peers.of(number_, s).membership);
    if (places.back().size <= 0) return std::nullopt;
  }
  const Seen seen = without_none(seen_by(v, point_.streams, point_.times));
  const bool is_same = seen.distinct.size() == 1 && !seen.is_constant_each();
  if (is_same && t_.peers.is_world(call_) &&
      are_ranks(seen.distinct[0], seen.length[0], places.front().size)) {
    const std::string written = operand(t_.values.at(seen, point_, ranks(), name(a)));
    return v.encoding == Encoding::relative ? fmt::format("(rank + {}) % ranks", written)
                                            : fmt::format("rank ^ {}", written);
  }
  if (!seen.is_constant_each() && !t_.values.is_short(point_.streams, seen)) return std::nullopt;
  Seen decoded;
  for (std::size_t i = 0; i < point_.streams.size(); ++i) {
    const std::size_t w = seen.which[i];
    const auto decode = [&](std::int64_t written) {
      return trace::decode_rank(v.encoding, written, places[i].rank, places[i].size);
    };
    trace::Series series = seen.distinct[w].is_constant()
                               ? trace::Series::constant(decode(seen.distinct[w].at(0)))
                               : trace::map_values(seen.distinct[w], seen.length[w], decode);
    const auto known = std::ranges::find(decoded.distinct, series);
    decoded.which.push_back(static_cast<std::size_t>(known - decoded.distinct.begin()));
    if (known != decoded.distinct.end()) continue;
    decoded.distinct.push_back(std::move(series));
    decoded.length.push_back(seen.length[w]);
  }
  if (!t_.values.is_short(point_.streams, decoded) && !decoded.is_constant_each())
    return std::nullopt;
  return t_.values.at(decoded, point_, ranks(), name(a));
}

std::string Columns::peer(const Argument& a) const {
  const std::string text = written_peer(a);
  // It may be named if it is the same wherever it stands.
  constexpr std::string_view kNames = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  for (std::size_t at = 0; (at = text.find_first_of(kNames, at)) != std::string::npos;) {
    const std::size_t end = std::min(text.find_first_not_of(kNames, at), text.size());
    const std::string_view name = std::string_view(text).substr(at, end - at);
    if (name != "rank" && name != "ranks" && name != "MPI_PROC_NULL") return text;
    at = end;
  }
  t_.source.note_peer(text);
  return text;
}

std::string Columns::written_peer(const Argument& a) const {
  const Value& v = scalar(a);
  if (v.encoding == Encoding::absolute) return number(a, ranks());
  if (auto text = decoded_peer(a)) return *text;
  const std::string written = number(a, ranks());
  if (written == "MPI_PROC_NULL") return written;
  const std::string comm = communicator();
  const std::string how(written == "0" ? "rank_in" : way(v.encoding));
  t_.source.need(how);
  return written == "0" ? fmt::format("{}({})", how, comm)
                        : fmt::format("{}({}, {})", how, comm, written);
}

}  // namespace reprise::generate
