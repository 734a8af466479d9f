#include "write/text/value_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ranges>

#include "analyze/text/describe.hpp"
#include "analyze/text/series_text.hpp"
#include "analyze/text/streams_text.hpp"
#include "expr/print.hpp"
#include "expr/program.hpp"
#include "expr/simplify.hpp"
#include "program/conditions/streams.hpp"
#include "trace/calls/predefined.hpp"
#include "trace/series/series_folder.hpp"
#include "trace/values/special.hpp"

namespace reprise::write {

using expr::Expr;
using program::ByStream;
using program::Case;
using program::Neighbor;
using program::Sequence;
using program::Value;
using program::Who;
using trace::Column;
using trace::Encoding;
using trace::Kind;

namespace {

constexpr std::size_t kMostCases = 4;      // of a value that are written down
constexpr std::size_t kMostLists = 1;      // of a list, and of many tables over executions
constexpr std::ptrdiff_t kMostTables = 2;  // that are not many
constexpr std::uint64_t kMostCharacters = 1 << 12;
constexpr std::size_t kMostRanks = 60;  // characters of a set of ranks
constexpr std::array kIndices = {"i", "j", "k", "l", "m", "n"};

// MPI's constants without their prefix: "MPI_DOUBLE_PRECISION" as "double precision", and types of
// C as they are written there: "MPI_UINT32_T" as "uint32_t".
std::string plain_name(const std::string& name) {
  constexpr std::string_view kPrefix = "MPI_";
  if (!name.starts_with(kPrefix)) return name;
  std::string out = name.substr(kPrefix.size());
  const bool is_type_of_c = out.ends_with("_T");
  for (char& c : out) c = c == '_' && !is_type_of_c ? ' ' : static_cast<char>(std::tolower(c));
  return out;
}

bool is_plain_buffer(const Column& column, std::int64_t v) {
  return column.kind == Kind::buffer && v == 0;
}

std::string quoted(const trace::Series& series, std::uint64_t length) {
  std::string out = "\"";
  trace::SeriesCursor cursor(series);
  for (std::uint64_t k = 0; k < std::min(length, kMostCharacters); ++k) {
    const std::int64_t c = cursor.next();
    if (c == '"' || c == '\\') out += '\\';
    out += c >= 32 && c < 127 ? std::string(1, static_cast<char>(c))
                              : fmt::format("\\x{:02x}", c & 0xff);
  }
  return out + (length > kMostCharacters ? "...\"" : "\"");
}

// What a value is on the streams of a case of another one, if it is one table or number there.
const program::Content* content_for(const Value& v, const Who& who) {
  if (v.cases.size() == 1) return &v.cases.front().content;
  for (const Case& c : v.cases) {
    if (c.who.streams && who.streams && std::ranges::includes(*c.who.streams, *who.streams))
      return &c.content;
  }
  return nullptr;
}

bool has_no_end(const Sequence& s) { return s.length == 0 && s.values.is_unbounded(); }

// Of a table that has no end the first values.
std::uint64_t shown_of(const Sequence& s) {
  constexpr std::uint64_t kShown = 16;
  return has_no_end(s) ? kShown : s.length;
}

// Lengths of texts, entry after entry, that make `total` together, or the first kMostTexts of
// them; empty if that is not known.
std::vector<std::uint64_t> lengths_of_texts(const program::Content& lengths, std::uint64_t total) {
  constexpr std::size_t kMostTexts = 256;
  const auto* law = std::get_if<Expr>(&lengths);
  const auto* table = std::get_if<Sequence>(&lengths);
  std::vector<std::int64_t> cycle;
  if (law && law->is_constant()) {
    cycle.push_back(law->value());
  } else if (law && expr::free_variables(*law).size() == 1) {
    // Of the index of a loop, if it makes them together.
    const std::string index = *expr::free_variables(*law).begin();
    const auto is_index = [&](std::size_t d) { return index == program::loop_index(d); };
    if (std::ranges::none_of(std::views::iota(std::size_t{0}, kIndices.size()), is_index))
      return {};
    std::uint64_t sum = 0;
    for (std::int64_t k = 0; sum < total && cycle.size() < kMostTexts; ++k) {
      const std::array<expr::Binding, 1> here = {expr::Binding{index, Expr(k)}};
      const Expr n = expr::simplify(expr::substitute(*law, here));
      if (!n.is_constant() || n.value() < 0) return {};
      cycle.push_back(n.value());
      sum += static_cast<std::uint64_t>(n.value());
    }
    if (sum != total) return {};
  } else if (table) {
    trace::SeriesCursor cursor(table->values);
    const std::uint64_t n = has_no_end(*table) ? kMostTexts : table->length;
    while (cycle.size() < std::min<std::uint64_t>(n, kMostTexts)) cycle.push_back(cursor.next());
  }
  std::vector<std::uint64_t> out;
  std::uint64_t left = total;
  for (std::size_t k = 0; left > 0 && out.size() < kMostTexts && !cycle.empty(); ++k) {
    const std::int64_t n = cycle[k % cycle.size()];
    if (n < 0 || static_cast<std::uint64_t>(n) > left) return {};
    out.push_back(static_cast<std::uint64_t>(n));
    left -= out.back();
  }
  return out;
}

// Whether the first values, and those that are shown, are above 0.
bool are_positive(const Sequence& s) {
  constexpr std::uint64_t kLooked = 4096;
  const std::uint64_t n = std::min(kLooked, shown_of(s));
  if (shown_of(s) > kLooked) return false;
  trace::SeriesCursor cursor(s.values);
  for (std::uint64_t k = 0; k < n; ++k) {
    if (cursor.next() <= 0) return false;
  }
  return true;
}

}  // namespace

ValueWords::ValueWords(const program::Program& program, bool full)
    : program_(program),
      full_(full),
      ends_(program::grid_ends(program)),
      unsaid_(program),
      repeated_(program, [this](const Value& v, const Column& c) { return spelled(v, c).text; }) {}

bool ValueWords::is_unsaid(const program::Argument& a) const {
  if (says_nothing(a)) return true;
  if (full_ || a.length) return false;
  if (is_matched(a.column)) return true;
  return a.value.parameter && procedure_ &&
         is_unsaid(static_cast<std::size_t>(procedure_ - program_.procedures.data()),
                   *a.value.parameter);
}

std::size_t ValueWords::most_words() const { return full_ ? 1 << 20 : 9; }

std::string ValueWords::number(const Column& column, std::int64_t v) const {
  if (is_plain_buffer(column, v)) return "buffer";
  const std::string text = analyze::describe_number(column, v);
  if (full_) return text;
  if (v == trace::kProcNull) return "nobody";
  if (v == trace::kAnySource || v == trace::kAnyTag) return "any";
  const bool has_name = column.kind == Kind::datatype || column.kind == Kind::op;
  return has_name ? plain_name(text) : text;
}

std::string ValueWords::expression(const Expr& e) const {
  std::vector<expr::Binding> names;
  for (std::size_t d = 0; d < kIndices.size(); ++d)
    names.push_back({program::loop_index(d), Expr::variable(kIndices[d])});
  return expr::print(expr::substitute(e, names));
}

// Relative to the rank in a communicator that is not known, or varies.
std::string ValueWords::written(const Column& column, Encoding encoding, std::int64_t v) const {
  if (encoding == Encoding::absolute || v < 0) return number(column, v);
  if (v == 0) return "rank";
  return encoding == Encoding::exclusive_or ? fmt::format("rank^{}", v) : fmt::format("rank+{}", v);
}

std::string ValueWords::neighbor(const Neighbor& n) const {
  constexpr std::array<std::array<const char*, 2>, 3> kDirections = {
      {{"west", "east"}, {"north", "south"}, {"down", "up"}}};
  std::string out;
  std::size_t moved = 0, along = 0;
  for (std::size_t d = 0; d < n.steps.size(); ++d) {
    if (n.steps[d] == 0) continue;
    ++moved;
    along = d;
  }
  if (moved == 0) return "rank";
  const std::int64_t step = n.steps[along];
  if (moved == 1 && (step == 1 || step == -1) && along < kDirections.size()) {
    out = kDirections[along][step == 1];
  } else {
    out = "(";
    for (std::size_t d = 0; d < n.steps.size(); ++d) {
      out += (d ? ", " : "") + std::string(program::coordinate(d));
      if (n.steps[d] != 0) out += fmt::format("{:+}", n.steps[d]);
    }
    out += ")";
  }
  // Where the header does not say that the dimension is cyclic.
  const auto is_around = [&](std::size_t d) {
    return n.steps[d] != 0 && n.wraps[d] && !ends_.is_cyclic(d);
  };
  if (std::ranges::any_of(std::views::iota(std::size_t{0}, n.steps.size()), is_around))
    out += " or around";
  return n.has_borders ? out + " or nobody" : out;
}

// A rank whose coordinates are those of the caller in another order, as of a transpose.
std::optional<std::string> ValueWords::transposed(const Expr& e) const {
  constexpr std::int64_t kMostRanks = 4096;
  if (!program_.grid || program_.domain || program_.grid->dimensions() < 2) return std::nullopt;
  const std::set<std::string> variables = expr::free_variables(e);
  std::vector<std::size_t> order;
  std::vector<std::int64_t> extents;
  std::int64_t ranks = 1;
  for (std::size_t d = 0; d < program_.grid->dimensions(); ++d) {
    if (!variables.contains(std::string(program::coordinate(d)))) return std::nullopt;
    order.push_back(d);
    extents.push_back(program_.grid->extents[d].value());
    ranks *= extents.back();
  }
  if (variables.size() != order.size() || ranks > kMostRanks) return std::nullopt;
  while (std::ranges::next_permutation(order).found) {
    bool is_it = true;
    for (std::int64_t rank = 0; rank < ranks && is_it; ++rank) {
      std::vector<expr::Value> here;
      std::int64_t rest = rank;
      for (std::size_t d = 0; d < order.size(); rest /= extents[d++])
        here.push_back({std::string(program::coordinate(d)), rest % extents[d]});
      std::int64_t wanted = 0, stride = 1;
      for (std::size_t d = 0; d < order.size(); stride *= extents[d++]) {
        is_it = is_it && here[order[d]].value < extents[d];
        wanted += here[order[d]].value * stride;
      }
      const auto value = expr::evaluate(e, here);
      is_it = is_it && value && *value == wanted;
    }
    if (!is_it) continue;
    std::string out;
    for (const std::size_t d : order)
      out += (out.empty() ? "(" : ", ") + std::string(program::coordinate(d));
    return out + ")";
  }
  return std::nullopt;
}

// With the names of values that stand for themselves.
std::string ValueWords::named(const Expr& e, const Column& column) const {
  if (e.is_constant()) return number(column, e.value());
  if (column.kind == Kind::peer) {
    if (const auto text = transposed(e)) return *text;
  }
  // "(4 if i == 0, 2 if i == 1, else 1)".
  std::string out;
  Expr rest = e;
  for (; rest.op() == expr::Op::conditional; rest = Expr(rest.operands()[2])) {
    const auto of = rest.operands();
    out += (out.empty() ? "(" : ", ") + named(of[1], column) + " if " + expression(of[0]);
  }
  if (out.empty()) return expression(e);
  return out + ", else " + named(rest, column) + ")";
}

std::string ValueWords::pattern(const std::vector<program::PatternTerm>& terms,
                                const Column& column) const {
  std::string out;
  for (const program::PatternTerm& t : terms) {
    out += out.empty() ? "" : " ";
    const std::string value = t.body.empty() ? named(t.value, column) : pattern(t.body, column);
    const bool is_word = t.body.empty() && t.value.operands().empty();
    out += is_word ? value : "(" + value + ")";
    if (t.count.is_constant(0)) {
      out += t.step.is_constant(0) ? " .." : " by " + expression(t.step) + " ..";
      continue;
    }
    if (t.count.is_constant(1)) continue;
    const bool is_short = t.count.operands().empty();
    out += is_short ? (is_word ? " x" : "x") + expression(t.count)
                    : (is_word ? " x(" : "x(") + expression(t.count) + ")";
    if (!t.step.is_constant(0)) out += " by " + expression(t.step);
  }
  return out;
}

std::string ValueWords::drawn(const program::Drawn& drawn) const {
  std::vector<std::string> names = {std::string(expr::kRanks)};
  names.insert(names.end(), program_.sizes.begin(), program_.sizes.end());
  const auto text = [&](const fit::Curve& c) { return c.describe(names); };
  return "(" + text(drawn.quantiles.front()) + " on average, from " + text(drawn.quantiles[1]) +
         " to " + text(drawn.quantiles.back()) + ")";
}

std::string ValueWords::texts(const Case& c, const Value* length) const {
  const auto& s = std::get<Sequence>(c.content);
  if (s.each_time) return quoted(s.values, s.length);
  const program::Content* lengths = length ? content_for(*length, c.who) : nullptr;
  std::vector<std::uint64_t> each;
  if (lengths && !has_no_end(s)) each = lengths_of_texts(*lengths, s.length);
  if (each.empty()) return "{" + quoted(s.values, shown_of(s)) + " ..}";  // not told apart
  trace::SeriesCursor characters(s.values);
  std::vector<std::pair<std::string, std::size_t>> runs;  // of equal ones
  std::uint64_t left = s.length;
  for (const std::uint64_t n : each) {
    trace::SeriesFolder one;
    for (std::uint64_t k = 0; k < n; ++k) one.append(characters.next());
    const std::string text = quoted(one.finish(), n);
    if (runs.empty() || runs.back().first != text) {
      if (runs.size() == most_words()) break;
      runs.emplace_back(text, 0);
    }
    ++runs.back().second;
    left -= n;
  }
  std::string out;
  for (const auto& [text, times] : runs) {
    out += (out.empty() ? "" : " ") + text;
    if (times > 1) out += fmt::format(" x{}", times);
  }
  return "{" + out + (left > 0 ? " ..}" : "}");
}

// Which entry of a table it is, where it is not that of the execution.
std::string ValueWords::entry(const std::optional<program::ByLoop>& by) const {
  if (!by || (!by->is_partial && by->per == 1)) return {};
  const Expr index = Expr::variable(program::loop_index(by->loop)) - Expr(by->first);
  return "[" + expression(expr::simplify(by->per == 1 ? index : index / Expr(by->per))) + "]";
}

std::string ValueWords::content(const Case& c, const Column& column) const {
  if (column.kind == Kind::character) {
    if (std::holds_alternative<Sequence>(c.content)) return texts(c, nullptr);
    const auto* e = std::get_if<Expr>(&c.content);
    if (e && e->is_constant(0)) return "\"\"";
  }
  if (const auto* e = std::get_if<Expr>(&c.content)) return named(*e, column);
  if (const auto* p = std::get_if<program::Pattern>(&c.content)) {
    const std::string by = p->encoding == Encoding::relative       ? "rank + "
                           : p->encoding == Encoding::exclusive_or ? "rank ^ "
                                                                   : "";
    return by + "{" + pattern(p->terms, column) + "}";
  }
  if (const auto* d = std::get_if<program::Drawn>(&c.content)) return drawn(*d);
  if (const auto* n = std::get_if<Neighbor>(&c.content)) return neighbor(*n);
  if (const auto* s = std::get_if<Sequence>(&c.content)) {
    if (s->values.is_constant()) return written(column, s->encoding, s->values.at(0));
    // All of them are to be read with the rank: it stands in front once.
    const bool is_common = s->encoding != Encoding::absolute && are_positive(*s);
    const auto text = [&](std::int64_t v) {
      return is_common ? std::to_string(v) : written(column, s->encoding, v);
    };
    const std::string words = analyze::series_text(s->values, shown_of(*s), text, most_words());
    const char* before = !is_common                              ? ""
                         : s->encoding == Encoding::exclusive_or ? "rank^"
                                                                 : "rank+";
    const char* end = has_no_end(*s) && !words.ends_with("...") ? " ...}" : "}";
    return before + ("{" + words + end + entry(s->by_loop));
  }
  if (const auto* a = std::get_if<program::Alternation>(&c.content)) {
    std::vector<std::string> laws;
    std::vector<std::int64_t> order;  // numbers of distinct laws
    for (const auto& law : a->laws) {
      const auto* e = std::get_if<Expr>(&law);
      const std::string text = e ? expression(*e) : neighbor(std::get<Neighbor>(law));
      const auto known = std::ranges::find(laws, text);
      order.push_back(known - laws.begin());
      if (known == laws.end()) laws.push_back(text);
    }
    const auto text = [&](std::int64_t k) {
      const std::string& law = laws[static_cast<std::size_t>(k)];
      return law.find(' ') == std::string::npos || law.front() == '(' ? law : "(" + law + ")";
    };
    return "{" + analyze::repeats_text(order, text, most_words()) + "}" + entry(a->by_loop);
  }
  const auto& table = std::get<ByStream>(c.content);
  const auto text = [&](std::int64_t v) { return number(column, v); };
  const std::uint64_t threads = program_.trace->threads;
  const auto is_of_one_rank = [&](std::uint64_t a, std::uint64_t b) {
    return a / threads == b / threads;
  };
  const bool has_threads =
      std::ranges::adjacent_find(*c.who.streams, is_of_one_rank) != c.who.streams->end();
  return (has_threads ? "by rank and thread {" : "by rank {") +
         analyze::series_text(table.values, c.who.streams->size(), text, most_words()) + "}";
}

std::string ValueWords::who(const Who& who) const {
  if (who.parameter) return procedure_ ? procedure_->parameters[*who.parameter].name : "?";
  if (who.group) {
    groups_.insert(*who.group);
    return "in " + program_.groups[*who.group].name;
  }
  if (who.condition) return expression(*who.condition);
  std::string ranks = analyze::streams_text(*program_.trace, *who.streams);
  if (!full_ && ranks.size() > kMostRanks)
    ranks = fmt::format("{} .. ({} ranks)", ranks.substr(0, ranks.rfind(' ', kMostRanks)),
                        who.streams->size());
  return (who.streams->size() == 1 ? "rank == " : "rank in ") + ranks;
}

ValueWords::CaseWords ValueWords::cases(const Value& v, const Column& column,
                                        const TextOfCase& text, std::size_t most) const {
  if (v.parameter) return {procedure_ ? procedure_->parameters[*v.parameter].name : "?"};
  if (v.cases.size() == 1) return {text(v.cases.front())};
  // Cases that read the same are one.
  std::vector<std::pair<std::string, std::string>> parts;
  bool has_unsaid_rest = false;
  const std::size_t shown_cases = full_ || v.cases.size() <= most + 1 ? v.cases.size() : most + 1;
  for (std::size_t i = 0; i < v.cases.size(); ++i) {
    const Case& c = v.cases[i];
    // Where nothing was recorded, what the others have does as well.
    const auto* e = std::get_if<Expr>(&c.content);
    if (!full_ && e && e->is_constant(trace::kNone)) continue;
    has_unsaid_rest = !full_ && i > 0 && c.who.is_everyone() && e && e->is_constant() &&
                      is_plain_buffer(column, e->value());
    if (has_unsaid_rest) continue;
    const std::string here = text(c);
    const bool is_shown = parts.size() < shown_cases;
    const std::string on = c.who.is_everyone() ? "" : is_shown ? who(c.who) : "...";
    parts.emplace_back(here, on);
  }
  if (parts.empty()) return {text(v.cases.back())};
  const bool same =
      std::ranges::all_of(parts, [&](const auto& p) { return p.first == parts.front().first; });
  if (same && !has_unsaid_rest && (parts.size() < v.cases.size() || parts.back().second.empty()))
    return {parts.front().first};
  std::string out;
  const std::size_t shown = full_ || parts.size() <= most + 1 ? parts.size() : most;
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& [here, on] = parts[i];
    out += i ? ", " : "";
    out += on.empty() ? "else " + here : here + " if " + on;
  }
  if (shown < parts.size()) out += fmt::format(", {} more", parts.size() - shown);
  return {std::move(out), true};
}

std::string ValueWords::enclosed_cases(const Value& v, const Column& column, const TextOfCase& text,
                                       std::size_t most) const {
  CaseWords words = cases(v, column, text, most);
  return words.are_several ? "(" + words.text + ")" : std::move(words.text);
}

std::string ValueWords::value(const Value& v, const Column& column) const {
  if (const Repeated* named = full_ ? nullptr : repeated_.find(v, column)) {
    said_.insert(named);
    return named->name;
  }
  CaseWords words = spelled(v, column);
  return words.are_several ? "(" + words.text + ")" : std::move(words.text);
}

std::vector<std::string> ValueWords::names() const {
  std::vector<std::string> out;
  for (const Repeated* r : said_)
    out.push_back(r->name + " = " + spelled(*r->value, r->column).text);
  return out;
}

ValueWords::CaseWords ValueWords::spelled(const Value& v, const Column& column) const {
  const auto is_table = [](const Case& c) { return std::holds_alternative<Sequence>(c.content); };
  const bool many_tables = std::ranges::count_if(v.cases, is_table) > kMostTables;
  const std::string distance = v.distance ? procedure_->parameters[*v.distance].name + " x " : "";
  return cases(
      v, column, [&](const Case& c) { return distance + content(c, column); },
      many_tables ? kMostLists : kMostCases);
}

std::string ValueWords::list_of(const Expr& element, const Column& column,
                                const ListLength& length) const {
  if (length.number == 0) return column.kind == Kind::character ? "\"\"" : "[]";
  if (element.is_constant()) {
    const std::string one = number(column, element.value());
    if (length.number && *length.number <= 2)
      return length.number == 1 ? "[" + one + "]" : "[" + one + " " + one + "]";
    return fmt::format("[{} x{}]", one, length.text);
  }
  if (!length.number) return fmt::format("[{} of {}]", length.text, expression(element));
  const std::int64_t n = *length.number;
  const auto at = [&](std::int64_t index) {
    const std::array<expr::Binding, 2> known = {expr::Binding{std::string(program::kIndex), index},
                                                expr::Binding{std::string(program::kLength), n}};
    const Expr here = expr::simplify(expr::substitute(element, known));
    const std::string text = named(here, column);
    return here.operands().empty() ? text : "(" + text + ")";
  };
  if (n > 8) return fmt::format("[{}: {} {} .. {}]", n, at(0), at(1), at(n - 1));
  std::string out = "[" + at(0);
  for (std::int64_t k = 1; k < n; ++k) out += " " + at(k);
  return out + "]";
}

// A list that is the same law everywhere, of other lengths on some ranks, of which one is empty:
// the cases are those of the whole list.
bool ValueWords::has_empty_case(const program::Argument& a) {
  if (a.value.cases.size() != 1 || a.length->cases.size() < 2) return false;
  const auto is_number = [](const Case& c) {
    const auto* e = std::get_if<Expr>(&c.content);
    return e && e->is_constant();
  };
  const auto is_empty = [](const Case& c) { return std::get<Expr>(c.content).is_constant(0); };
  return std::holds_alternative<Expr>(a.value.cases.front().content) &&
         std::ranges::all_of(a.length->cases, is_number) &&
         std::ranges::any_of(a.length->cases, is_empty);
}

// The length on the streams of a case alone, where it has one there.
program::Value ValueWords::length_on(const Value& length, const Who& who) {
  if (!who.streams) return length;
  for (const Case& c : length.cases) {
    if (!c.who.streams || program::is_disjoint(*c.who.streams, *who.streams)) continue;
    if (!std::ranges::includes(*c.who.streams, *who.streams)) return length;
    Value out;
    out.cases.push_back(c);
    return out;
  }
  return length;
}

std::string ValueWords::list(const program::Argument& a) const {
  const Column plain{"", Kind::integer, -1};
  if (has_empty_case(a)) {
    const Expr& element = std::get<Expr>(a.value.cases.front().content);
    return enclosed_cases(
        *a.length, plain,
        [&](const Case& c) {
          const std::int64_t n = std::get<Expr>(c.content).value();
          return list_of(element, a.column, {n, std::to_string(n)});
        },
        kMostCases);
  }
  return enclosed_cases(
      a.value, a.column,
      [&](const Case& c) -> std::string {
        const Value here = length_on(*a.length, c.who);
        const auto length = here.constant();
        const auto* s = std::get_if<Sequence>(&c.content);
        if (s && a.column.kind == Kind::character) return texts(c, &here);
        if (s) {
          const auto text = [&](std::int64_t v) { return written(a.column, s->encoding, v); };
          const std::uint64_t shown = s->length == 0 && length && *length > 0
                                          ? static_cast<std::uint64_t>(*length)
                                          : shown_of(*s);
          const std::string inside = analyze::series_text(s->values, shown, text, most_words());
          if (s->each_time && s->length <= 8) return "[" + inside + "]";
          const std::string n = s->each_time ? std::to_string(s->length) : value(here, plain);
          return "[" + n + ": " + inside + "]";
        }
        const std::string n = value(here, plain);
        if (const auto* e = std::get_if<Expr>(&c.content))
          return list_of(*e, a.column, {length, n});
        if (std::holds_alternative<program::Pattern>(c.content))
          return "[" + n + ": " + content(c, a.column) + "]";
        return content(c, a.column);
      },
      kMostLists);
}

}  // namespace reprise::write
