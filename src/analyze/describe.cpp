#include "analyze/describe.hpp"

#include <fmt/format.h>

#include <map>

#include "trace/predefined.hpp"
#include "trace/rank_set.hpp"
#include "trace/special.hpp"

namespace reprise::analyze {

using trace::Column;
using trace::Encoding;
using trace::Kind;
using trace::Series;
using trace::Term;
using trace::Value;

namespace {

constexpr std::size_t kMaxCases = 6;   // of a value, before the rest is only counted
constexpr std::size_t kMaxTerms = 12;  // of a series
constexpr std::uint64_t kMaxStreams = 1 << 16;  // looked at one by one to describe a value

// How one number of a value reads: ranks that are written relative say so.
std::string describe_written(Kind kind, Encoding encoding, std::int64_t v, std::int64_t size) {
  if (trace::is_special(v) || encoding == Encoding::absolute) return describe_number(kind, v);
  if (encoding == Encoding::exclusive_or) return fmt::format("rank^{}", v);
  if (v == 0) return "rank";
  if (size > 0 && v > size / 2) return fmt::format("rank-{}", size - v);
  return fmt::format("rank+{}", v);
}

class SeriesText {
 public:
  SeriesText(Kind kind, Encoding encoding, std::int64_t size)
      : kind_(kind), encoding_(encoding), size_(size) {}

  std::string describe(const Series& series) {
    add(series.terms());
    return "{" + text_ + "}";
  }

 private:
  void word(const std::string& w) { text_ += (text_.empty() || text_.ends_with('(') ? "" : " ") + w; }

  void add(const std::vector<Term>& terms) {
    for (const Term& t : terms) {
      if (++written_ > kMaxTerms) {
        if (written_ == kMaxTerms + 1) word("...");
        return;
      }
      const std::string times =
          t.count == trace::kUnbounded ? "..." : t.count == 1 ? "" : fmt::format("x{}", t.count);
      if (t.is_run()) {
        const std::string first = describe_written(kind_, encoding_, t.value, size_);
        if (t.step == 0) {
          word(first + times);
        } else {
          word(fmt::format("{}{:+}{}", first, t.step, times));
        }
      } else {
        word("(");
        add(t.body);
        text_ += t.step == 0 ? ")" + times : fmt::format("){:+}{}", t.step, times);
      }
    }
  }

  Kind kind_;
  Encoding encoding_;
  std::int64_t size_;
  std::string text_;
  std::size_t written_ = 0;
};

std::string describe_series(Kind kind, Encoding encoding, std::int64_t size, const Series& s) {
  if (s.is_constant()) return describe_written(kind, encoding, s.at(0), size);
  return SeriesText(kind, encoding, size).describe(s);
}

std::string streams_text(const trace::Trace& trace, const std::vector<std::uint64_t>& streams) {
  if (trace.threads == 1) return trace::describe_ranks(streams);
  std::map<std::uint64_t, std::vector<std::uint64_t>> ranks_of_thread;
  for (const std::uint64_t s : streams) {
    ranks_of_thread[s % trace.threads].push_back(s / trace.threads);
  }
  std::string out;
  for (const auto& [thread, ranks] : ranks_of_thread) {
    out += fmt::format("{}{} thread {}", out.empty() ? "" : ", ", trace::describe_ranks(ranks), thread);
  }
  return out;
}

// The distinct texts of a value with the streams that have each, in order of appearance.
std::vector<std::pair<std::string, std::vector<std::uint64_t>>> cases_of(
    const trace::Trace& trace, const Value& value, Kind kind, std::int64_t size) {
  std::vector<std::pair<std::string, std::vector<std::uint64_t>>> out;
  std::map<std::int64_t, std::size_t> known;
  trace::SeriesCursor c(value.by_stream);
  for (std::uint64_t s = 0; s < std::min(trace.streams(), kMaxStreams); ++s) {
    const std::int64_t number = c.next();
    const auto [entry, is_new] = known.emplace(number, out.size());
    if (is_new) {
      out.emplace_back(value.classes.empty()
                           ? describe_written(kind, value.encoding, number, size)
                           : describe_series(kind, value.encoding, size,
                                             value.classes[static_cast<std::size_t>(number)]),
                       std::vector<std::uint64_t>());
    }
    out[entry->second].second.push_back(s);
  }
  return out;
}

std::string describe_value(const trace::Trace& trace, const Value& value, Kind kind,
                           std::int64_t size) {
  if (value.classes.size() == 1) {
    return describe_series(kind, value.encoding, size, value.classes.front());
  }
  if (value.is_constant()) return describe_written(kind, value.encoding, value.by_stream.at(0), size);
  const auto cases = cases_of(trace, value, kind, size);
  std::string out;
  for (std::size_t i = 0; i < cases.size() && i < kMaxCases; ++i) {
    out += fmt::format("{}{} on {}", i ? ", " : "", cases[i].first,
                       streams_text(trace, cases[i].second));
  }
  if (cases.size() > kMaxCases) out += fmt::format(", {} more", cases.size() - kMaxCases);
  return "(" + out + ")";
}

bool says_nothing(const Column& column, const Value& v) {
  if (!v.is_constant()) return false;
  const std::int64_t n = v.by_stream.at(0);
  switch (column.kind) {
    case Kind::polls:
    case Kind::buffer: return n == 0;
    case Kind::comm: return n == trace::kWorld && column.name == "comm";
    default: return n == trace::kNone;
  }
}

}  // namespace

std::string describe_number(Kind kind, std::int64_t value) {
  if (trace::is_special(value)) {
    const std::string_view name = trace::special_name(value);
    return name.empty() ? std::to_string(value) : std::string(name);
  }
  switch (kind) {
    case Kind::datatype: return trace::type_name(value);
    case Kind::op: return trace::op_name(value);
    default: return std::to_string(value);
  }
}

std::string describe_event(const trace::Event& event) {
  std::string out(event.function->name);
  for (std::size_t i = 0; i < event.scalars.size(); ++i) {
    const Column& c = event.function->scalars[i];
    out += fmt::format(" {}={}", c.name, describe_number(c.kind, event.scalars[i]));
  }
  for (std::size_t i = 0; i < event.lists.size(); ++i) {
    const Column& c = event.function->lists[i];
    out += fmt::format(" {}=[", c.name);
    for (std::size_t k = 0; k < event.lists[i].size(); ++k) {
      out += (k ? "," : "") + describe_number(c.kind, event.lists[i][k]);
    }
    out += "]";
  }
  return out;
}

std::string describe_call(const trace::Trace& trace, const trace::Call& call) {
  const trace::Function& f = trace::function(call.function);
  std::int64_t size = 0;
  if (f.communicator >= 0) {
    const Value& comm = call.columns[static_cast<std::size_t>(f.communicator)];
    if (comm == Value::constant(trace::kWorld) &&
        f.scalars[static_cast<std::size_t>(f.communicator)].kind == Kind::comm) {
      size = static_cast<std::int64_t>(trace.ranks);
    }
  }
  std::string out;
  const auto put = [&out](std::string_view name, const std::string& text) {
    out += fmt::format("{}{}={}", out.empty() ? "" : " ", name, text);
  };
  for (std::size_t i = 0; i < f.scalars.size(); ++i) {
    if (says_nothing(f.scalars[i], call.columns[i])) continue;
    put(f.scalars[i].name, describe_value(trace, call.columns[i], f.scalars[i].kind, size));
  }
  for (std::size_t i = 0; i < f.lists.size(); ++i) {
    const Value& length = call.columns[f.scalars.size() + 2 * i];
    const Value& elements = call.columns[f.scalars.size() + 2 * i + 1];
    if (length == Value::constant(0)) continue;
    put(f.lists[i].name,
        fmt::format("[{}]{}", describe_value(trace, length, Kind::integer, 0),
                    describe_value(trace, elements, f.lists[i].kind, size)));
  }
  return out;
}

std::string describe_trips(const trace::Trace& trace, const trace::Item& item) {
  const Value& trips = item.trips;
  if (trips == Value::constant(1)) return {};
  if (trips.is_constant()) return fmt::format("{} times", trips.by_stream.at(0));
  if (trips.classes.empty()) {
    const auto cases = cases_of(trace, trips, Kind::integer, 0);
    if (cases.size() == 2) {
      for (int i = 0; i < 2; ++i) {
        if (cases[i].first == "0" && cases[1 - i].first == "1") {
          return "if rank in " + streams_text(trace, cases[1 - i].second);
        }
      }
    }
  }
  return describe_value(trace, trips, Kind::integer, 0) + " times";
}

std::string describe_frame(const trace::Trace& trace, const trace::Frame& f) {
  const std::string& function = trace.texts[f.function];
  if (f.line != 0) return fmt::format("{} {}:{}", function, trace.texts[f.file], f.line);
  const std::string module =
      f.module < trace.modules.size() ? trace.modules[f.module].path : std::string();
  return fmt::format("{} {}+{:#x}", function.empty() ? "?" : function,
                     module.substr(module.rfind('/') + 1), f.offset);
}

std::string describe_place(const trace::Trace& trace, std::uint32_t callpath) {
  const auto& path = trace.callpaths[callpath];
  return path.empty() ? std::string() : describe_frame(trace, trace.frames[path.front()]);
}

std::string describe_callpath(const trace::Trace& trace, std::uint32_t callpath) {
  std::string out;
  const auto& path = trace.callpaths[callpath];
  for (auto frame = path.rbegin(); frame != path.rend(); ++frame) {
    out += (out.empty() ? "" : " > ") + describe_frame(trace, trace.frames[*frame]);
  }
  return out;
}

}  // namespace reprise::analyze
