#include "generate/c_objects.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "generate/arguments.hpp"
#include "trace/predefined.hpp"
#include "trace/series_map.hpp"
#include "trace/series_sum.hpp"
#include "trace/special.hpp"

namespace reprise::generate {

using trace::Kind;

namespace {

// More of a class are an array; communicators have names.
constexpr std::size_t kMaxVariables = 4, kMaxNamed = 8;
constexpr std::int64_t kMaxNumber = 1 << 20;   // of an object
constexpr std::uint64_t kMaxLooked = 1 << 20;  // values looked at

struct Words {
  const char* type;      // in C
  const char* variable;  // begins with this
  std::int64_t first;    // number of those that programs make
  const char* null;
};

const Words& words(Kind kind) {
  static const std::map<Kind, Words> all{
      {Kind::comm, {"MPI_Comm", "comm", trace::kFirstMadeComm, "MPI_COMM_NULL"}},
      {Kind::group, {"MPI_Group", "group", 1, "MPI_GROUP_NULL"}},
      {Kind::datatype, {"MPI_Datatype", "type", trace::kFirstMadeType, "MPI_DATATYPE_NULL"}},
      {Kind::op, {"MPI_Op", "op", trace::kFirstMadeOp, "MPI_OP_NULL"}},
      {Kind::window, {"MPI_Win", "win", 0, "MPI_WIN_NULL"}},
      {Kind::file, {"MPI_File", "file", 0, "MPI_FILE_NULL"}},
      {Kind::session, {"MPI_Session", "session", 0, "MPI_SESSION_NULL"}}};
  return all.at(kind);
}

// Adds the first n values.
void collect(const trace::Series& series, std::uint64_t n, std::set<std::int64_t>& out) {
  trace::SeriesCursor cursor(series);
  while (n > 0 && !cursor.at_end()) {
    out.insert(cursor.peek());
    const std::uint64_t same = cursor.step() == 0 ? std::min(n, cursor.peek_count()) : 1;
    cursor.skip(same);
    n -= same;
  }
}

// The numbers that are ever asked for, of a value of so many executions on so many streams.
std::set<std::int64_t> numbers_of(const trace::Value& value, std::uint64_t streams,
                                  std::uint64_t executions) {
  std::set<std::int64_t> out;
  if (value.classes.empty()) collect(value.by_stream, std::min(streams, kMaxLooked), out);
  for (const trace::Series& s : value.classes) collect(s, std::min(executions, kMaxLooked), out);
  return out;
}

std::uint64_t most_of(const Point& point) {
  std::uint64_t most = 0;
  for (const std::uint64_t s : point.streams) most = std::max(most, point.times(s));
  return most;
}

// "MPI_Comm_split" -> "split", "MPI_Cart_create" -> "cart", "MPI_Comm_create_group" -> "group".
std::string stem(std::string_view function) {
  std::string name(function.substr(4));
  for (const char* part : {"Comm_", "_create", "create_"}) {
    const std::size_t at = name.find(part);
    if (at != std::string::npos && name.size() > std::string_view(part).size())
      name.erase(at, std::string_view(part).size());
  }
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
  return name == "create" ? "comm" : name;
}

}  // namespace

bool Objects::is_object(Kind kind) {
  switch (kind) {
    case Kind::comm:
    case Kind::group:
    case Kind::datatype:
    case Kind::op:
    case Kind::window:
    case Kind::file:
    case Kind::session: return true;
    default: return false;
  }
}

Objects::Objects(const trace::Trace& trace, analyze::Executions& executions, Values& values,
                 Source& source)
    : values_(values), source_(source), streams_(trace.streams()) {
  for (std::uint32_t c = 0; c < trace.calls.size(); ++c)
    learn(trace.calls[c], executions.busiest(c), executions.of(c, executions.busiest(c)));
  for (auto& [kind, c] : classes_) {
    c.is_array = c.numbers.size() > (kind == Kind::comm ? kMaxNamed : kMaxVariables);
    if (!c.numbers.empty() && (*c.numbers.rbegin() > kMaxNumber || *c.numbers.begin() < 0)) {
      throw Unwritable{
          fmt::format("it makes more than {} objects of a kind at once (a million "
                      "variables are no benchmark to read); replay the trace instead",
                      kMaxNumber)};
    }
  }
}

void Objects::learn(const trace::Call& call, std::uint64_t stream, std::uint64_t executions) {
  if (executions == 0) return;
  const trace::Function& f = trace::function(call.function);
  for (const Argument& a : arguments(call.function)) {
    if (a.column < 0) continue;
    const Kind kind = a.is_list ? f.lists[a.column].kind : f.scalars[a.column].kind;
    if (!is_object(kind)) continue;
    const auto column = static_cast<std::size_t>(a.column);
    const std::size_t at = a.is_list ? f.scalars.size() + 2 * column + 1 : column;
    const bool is_new = a.kind == ArgumentKind::newcomm || a.kind == ArgumentKind::newwin;
    const auto n = a.is_list ? trace::sum_of(call.columns[at - 1], stream, executions)
                             : static_cast<std::int64_t>(executions);
    const auto found = numbers_of(call.columns[at], streams_,
                                  static_cast<std::uint64_t>(std::max<std::int64_t>(0, n)));
    add(kind, found, std::string(f.name), is_new);
  }
}

void Objects::add(Kind kind, const std::set<std::int64_t>& found, const std::string& function,
                  bool is_new) {
  Class& c = classes_[kind];
  for (const std::int64_t n : found) {
    if (trace::is_special(n) || n < words(kind).first) continue;
    c.numbers.insert(n);
    if (is_new) c.made_by.try_emplace(n, stem(function));
  }
}

std::string Objects::variable(Kind kind, std::int64_t number) const {
  const Class& c = classes_.at(kind);
  if (c.is_array) return fmt::format("{}[{}]", words(kind).variable, number - words(kind).first);
  const auto by = c.made_by.find(number);
  const std::string name =
      by == c.made_by.end() || kind != Kind::comm ? words(kind).variable : by->second;
  return fmt::format("{}_{}", name, number - words(kind).first);
}

std::string Objects::word(Kind kind, std::int64_t number) {
  const Words& w = words(kind);
  if (number == trace::kNull) return w.null;
  if (number == trace::kNone) return kind == Kind::datatype ? "MPI_BYTE" : w.null;
  if (trace::is_special(number)) {
    throw Unwritable{
        fmt::format("it uses a {} that the trace does not say the making of; record it "
                    "from its beginning",
                    w.variable)};
  }
  if (number >= w.first) return variable(kind, number);
  switch (kind) {
    case Kind::comm: return number == trace::kWorld ? "WORLD" : "MPI_COMM_SELF";
    case Kind::group: return "MPI_GROUP_EMPTY";
    case Kind::datatype: return trace::type_name(number);
    case Kind::op: return trace::op_name(number);
    default: return w.null;
  }
}

Reading Objects::reading(Kind kind) {
  return {words(kind).type, [this, kind](std::int64_t n) { return word(kind, n); }, false};
}

std::string Objects::use(Kind kind, const trace::Value& value, Point& point,
                         const std::string& name) {
  const Class& c = classes_[kind];
  const auto found = numbers_of(value, streams_, most_of(point));
  const bool in_array =
      c.is_array && std::ranges::all_of(found, [&](auto n) { return n >= words(kind).first; });
  if (!in_array || found.size() == 1) return values_.at(value, point, reading(kind), name);
  // By their places in the array.
  Seen seen = without_none(seen_by(value, point.streams, point.times));
  const std::int64_t first = words(kind).first;
  for (std::size_t i = 0; i < seen.distinct.size(); ++i) {
    const auto shift = [first](std::int64_t n) { return n - first; };
    seen.distinct[i] = seen.distinct[i].is_constant()
                           ? trace::Series::constant(shift(seen.distinct[i].at(0)))
                           : trace::map_values(seen.distinct[i], seen.length[i], shift);
  }
  point.wraps = true;
  std::string place = values_.at(seen, point, {}, name);
  point.wraps = false;
  const bool has_parentheses = place.front() == '(' && place.find(')') == place.size() - 1;
  if (has_parentheses) place = place.substr(1, place.size() - 2);
  return fmt::format("{}[{}]", words(kind).variable, place);
}

std::string Objects::place(Kind kind, const trace::Value& value, Point& point,
                           const std::string& name) {
  Class& c = classes_[kind];
  Reading r = reading(kind);
  r.type += " *";
  r.word = [this, kind](std::int64_t n) {
    if (!trace::is_special(n) && n >= words(kind).first) return "&" + variable(kind, n);
    // Nothing is made on this rank: MPI says so, and nobody asks.
    source_.declare(fmt::format("static {0} no_{1};", words(kind).type, words(kind).variable));
    return fmt::format("&no_{}", words(kind).variable);
  };
  if (c.is_array) {
    const std::string text = use(kind, value, point, name);
    if (text.starts_with(std::string(words(kind).variable) + "[")) return "&" + text;
  }
  // One variable may as well be there where it stays null.
  if (c.numbers.size() >= 1 && value.classes.empty()) {
    auto found = numbers_of(value, streams_, 1);
    std::erase_if(found, [&](auto n) { return n < words(kind).first; });
    if (found.size() == 1) return "&" + variable(kind, *found.begin());
  }
  return values_.at(value, point, r, name);
}

void Objects::declare() {
  for (const auto& [kind, c] : classes_) {
    if (c.numbers.empty()) continue;
    const Words& w = words(kind);
    if (kind == Kind::datatype) source_.need("shapes");
    if (c.is_array) {
      source_.note_object(w.type, w.variable);
      source_.declare(
          fmt::format("static {} {}[{}];", w.type, w.variable, *c.numbers.rbegin() - w.first + 1));
      continue;
    }
    std::string names;
    for (const std::int64_t n : c.numbers) {
      names += (names.empty() ? "" : ", ") + variable(kind, n);
      source_.note_object(w.type, variable(kind, n));
    }
    source_.declare(fmt::format("static {} {};", w.type, names));
  }
}

}  // namespace reprise::generate
