#include "generate/c_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "expr/print.hpp"
#include "generate/c_patterns.hpp"
#include "generate/plain_condition.hpp"
#include "trace/series_map.hpp"
#include "trace/series_sum.hpp"
#include "trace/special.hpp"

namespace reprise::generate {

using trace::Series;

namespace {

constexpr std::uint64_t kMaxLooked = 1 << 22;  // values of a series that are looked at one by one
constexpr std::size_t kMaxWords = 64;          // distinct words that a table may choose from
constexpr std::size_t kLongCondition = 40;  // which a list of who has what is easier than [chars]

std::string word_of(const Reading& reading, std::int64_t v) {
  return reading.word ? reading.word(v) : number_text(v);
}

// Whether the numbers themselves are their C text, MPI_PROC_NULL apart.
bool is_plain(const Reading& reading, std::int64_t v) {
  if (!reading.is_number) return false;
  return v == trace::kProcNull || (!trace::is_special(v) && word_of(reading, v) == number_text(v));
}

// The same with what is taken away before a remainder put in from above: (rank + 15) % 16, which is
// C's own operator, for (rank - 1) % 16, which is not.
expr::Expr without_negative_dividends(const expr::Expr& e, std::int64_t ranks) {
  using expr::Expr;
  if (e.operands().empty()) return e;
  std::vector<Expr> operands;
  for (const Expr& o : e.operands()) operands.push_back(without_negative_dividends(o, ranks));
  const Expr same = Expr::make(e.op(), operands);
  if (e.op() != expr::Op::modulo) return same;
  const Expr &dividend = operands[0], &divisor = operands[1];
  const std::int64_t by = divisor.is_constant() ? divisor.value()
                          : divisor.is_variable() && divisor.name() == expr::kRanks ? ranks
                                                                                    : 0;
  const bool is_sum = dividend.op() == expr::Op::add || dividend.op() == expr::Op::subtract;
  if (by <= 0 || !is_sum || !dividend.operands()[1].is_constant()) return same;
  std::int64_t moved = dividend.operands()[1].value();
  if (dividend.op() == expr::Op::subtract) moved = -moved;
  if (moved >= 0) return same;
  return (dividend.operands()[0] + Expr((moved % by + by) % by)) % divisor;
}

// The text at a place among them; only that one is evaluated if there are two, or if they are
// calls.
std::string pick(const std::vector<std::string>& texts, const std::string& place,
                 const std::string& type) {
  if (texts.size() == 2) return fmt::format("({} ? {} : {})", place, texts[1], texts[0]);
  const bool calls =
      std::ranges::any_of(texts, [](const std::string& t) { return t.find('(') != t.npos; });
  if (!calls || place.find("++") != std::string::npos)
    return fmt::format("(({}[]){{{}}})[{}]", type, fmt::join(texts, ", "), place);
  std::string out = "(";
  for (std::size_t i = 0; i + 1 < texts.size(); ++i)
    out += fmt::format("{} == {} ? {} : ", place, i, texts[i]);
  return out + texts.back() + ")";
}

}  // namespace

Values::Axis Values::axis(const Streams& streams, const std::vector<std::int64_t>& values) const {
  const std::uint64_t threads = trace_.threads;
  for (const Axis& a : {Axis{"rank", threads, trace_.ranks}, Axis{"thread", 1, threads}}) {
    std::map<std::int64_t, std::int64_t> seen;
    bool same = true;
    for (std::size_t i = 0; i < streams.size() && same; ++i)
      same = seen.try_emplace(a.of(streams[i]), values[i]).first->second == values[i];
    if (same) return a;
  }
  return {"stream", 1, trace_.streams()};
}

ByRank Values::samples_of(const Axis& axis, const Streams& streams,
                          const std::vector<std::int64_t>& values) {
  std::map<std::int64_t, std::int64_t> samples;
  for (std::size_t i = 0; i < streams.size(); ++i) samples.emplace(axis.of(streams[i]), values[i]);
  return {samples.begin(), samples.end()};
}

std::string Values::in_c(const expr::Expr& given, const Axis& axis) {
  const expr::Expr e = without_negative_dividends(given, static_cast<std::int64_t>(trace_.ranks));
  std::string text;
  if (axis.variable == "rank") {
    text = expr::print_c(e);
  } else {
    const expr::Binding other{std::string(expr::kRank), expr::Expr::variable(axis.variable)};
    text = expr::print_c(expr::substitute(e, {&other, 1}), [](std::string_view name) {
      return name == "thread" || name == "stream";
    });
  }
  if (text.find("reprise_") != std::string::npos) source_.need("expressions");
  return text;
}

std::optional<std::string> Values::law(const Streams& streams,
                                       const std::vector<std::int64_t>& values,
                                       const Reading& reading) {
  const std::set<std::int64_t> distinct(values.begin(), values.end());
  if (distinct.size() == 1) return word_of(reading, values.front());
  const Axis by = axis(streams, values);
  if (!std::ranges::all_of(distinct, [&](auto v) { return is_plain(reading, v); }))
    return std::nullopt;
  const auto law = laws_.value(samples_of(by, streams, values));
  if (!law) return std::nullopt;
  // Of two numbers it is easier to read who has which.
  const bool wild =
      distinct.size() == 2 && law->nodes() > 3 && !distinct.contains(trace::kProcNull);
  if (wild && streams.size() > 2) return std::nullopt;
  return in_c(*law, by);
}

std::string Values::by_stream(const Streams& streams, const std::vector<std::int64_t>& values,
                              const Reading& reading, const std::string& name) {
  if (const auto text = law(streams, values, reading)) return *text;
  const std::set<std::int64_t> distinct(values.begin(), values.end());
  const bool plain = std::ranges::all_of(distinct, [&](auto v) { return is_plain(reading, v); });
  std::vector<std::int64_t> are_least;
  for (const std::int64_t v : values) are_least.push_back(v == *distinct.begin());
  const auto which_of_two =
      distinct.size() == 2 ? condition_law(streams, are_least) : std::optional<std::string>();
  if (which_of_two && plain && distinct == std::set<std::int64_t>{0, 1}) {
    std::vector<std::int64_t> are_most;
    for (const std::int64_t v : values) are_most.push_back(v);
    const auto holds = condition_law(streams, are_most);
    if (holds && holds->size() <= kLongCondition) return fmt::format("({})", *holds);
  }
  if (!plain || (which_of_two && which_of_two->size() <= kLongCondition)) {
    std::vector<std::size_t> which;
    std::vector<std::string> words;
    for (const std::int64_t v : values)
      which.push_back(static_cast<std::size_t>(std::distance(distinct.begin(), distinct.find(v))));
    for (const std::int64_t v : distinct) words.push_back(word_of(reading, v));
    return choose(streams, which, words, reading.type, name);
  }
  const std::string text = stream_table(streams, values, name);
  if (!distinct.contains(trace::kProcNull) || !text.starts_with("of(")) return text;
  source_.need("meant");
  return fmt::format("meant({})", text);
}

std::string Values::choose(const Streams& streams, const std::vector<std::size_t>& which,
                           const std::vector<std::string>& texts, const std::string& type,
                           const std::string& name) {
  if (texts.size() == 1) return texts.front();
  if (texts.size() <= 3) {
    std::string out = texts.back();
    bool found = true;
    for (std::size_t t = texts.size() - 1; t-- > 0 && found;) {
      std::vector<std::int64_t> holds;
      for (const std::size_t w : which) holds.push_back(w == t);
      const auto law = condition_law(streams, holds);
      found = law.has_value();
      if (found) out = fmt::format("{} ? {} : {}", *law, texts[t], out);
    }
    if (found) return "(" + out + ")";
  }
  if (texts.size() > kMaxWords)
    throw Unwritable{"ranks differ too much in what takes a word in C each"};
  const std::vector<std::int64_t> numbers(which.begin(), which.end());
  return pick(texts, stream_table(streams, numbers, name + "_OF"), type);
}

std::optional<std::string> Values::condition_law(const Streams& streams,
                                                 const std::vector<std::int64_t>& holds) {
  const Axis by = axis(streams, holds);
  const ByRank samples = samples_of(by, streams, holds);
  std::vector<std::pair<std::int64_t, bool>> plain;
  for (const auto& [at, value] : samples) plain.emplace_back(at, value != 0);
  if (auto text = plain_condition(plain, by.variable)) return text;
  if (const auto law = laws_.condition(samples)) return in_c(*law, by);
  return std::nullopt;
}

std::string Values::condition(const Streams& coming, const Streams& inside) {
  std::vector<std::int64_t> holds;
  for (const std::uint64_t s : coming) holds.push_back(std::ranges::binary_search(inside, s));
  if (auto law = condition_law(coming, holds)) return *law;
  return stream_table(coming, holds, "SOME");
}

std::string Values::entry(const Series& series, std::uint64_t n, Point& point,
                          const Reading& reading, const std::string& name) {
  if (const auto only = only_value(series, n)) return word_of(reading, *only);
  if (n <= kMaxLooked) {
    std::set<std::int64_t> distinct;
    trace::SeriesCursor cursor(series);
    for (std::uint64_t k = 0; k < n && distinct.size() <= kMaxWords; ++k)
      distinct.insert(cursor.next());
    const bool plain = std::ranges::all_of(distinct, [&](auto v) {
      return is_plain(reading, v) || (reading.is_number && trace::is_special(v));
    });
    if (!plain && distinct.size() <= kMaxWords) {
      const std::vector<std::int64_t> values(distinct.begin(), distinct.end());
      std::vector<std::string> words;
      for (const std::int64_t v : values) words.push_back(word_of(reading, v));
      const auto place_of = [&](std::int64_t v) {
        return std::ranges::lower_bound(values, v) - values.begin();
      };
      return pick(words, number(trace::map_values(series, n, place_of), n, point, {}, name),
                  reading.type);
    }
  }
  return number(series, n, point, reading, name);
}

// A series that some streams see less of than others begins anew at another place on each.
Seen Values::apart_by_length(const Seen& seen, const Point& point) {
  Seen out;
  std::map<std::pair<std::size_t, std::uint64_t>, std::size_t> known;
  for (std::size_t i = 0; i < point.streams.size(); ++i) {
    const std::size_t w = seen.which[i];
    const std::vector<std::int64_t> all = first_of(seen.distinct[w], seen.length[w]);
    const std::uint64_t period = period_of(all), own = point.times(point.streams[i]);
    const bool is_same = own == 0 || own >= all.size() || own % period == 0;
    const std::uint64_t length = is_same ? seen.length[w] : own;
    const auto [at, is_new] = known.try_emplace({w, length}, out.distinct.size());
    out.which.push_back(at->second);
    if (!is_new) continue;
    out.distinct.push_back(seen.distinct[w]);
    out.length.push_back(length);
  }
  return out;
}

std::string Values::at(const Seen& seen, Point& point, const Reading& reading,
                       const std::string& name) {
  if (seen.is_constant_each()) {
    std::vector<std::int64_t> values;
    for (const std::size_t w : seen.which) values.push_back(seen.distinct[w].at(0));
    return by_stream(point.streams, values, reading, name);
  }
  if (seen.distinct.size() == 1)
    return entry(seen.distinct[0], seen.length[0], point, reading, name);
  const bool few = seen.distinct.size() <= 3;
  if (few || !reading.is_number) {
    std::vector<std::string> texts;
    bool in_tables = false;
    for (std::size_t i = 0; i < seen.distinct.size(); ++i) {
      const bool endless = only_value(seen.distinct[i], seen.length[i]).has_value();
      in_tables |=
          reading.is_number && !endless && pattern(seen.distinct[i], seen.length[i], point).empty();
    }
    if (!in_tables) {
      for (std::size_t i = 0; i < seen.distinct.size(); ++i)
        texts.push_back(entry(seen.distinct[i], seen.length[i], point, reading, name));
      return choose(point.streams, seen.which, texts, reading.type, name);
    }
  }
  if (is_short(point.streams, seen, reading)) {
    if (std::string text = by_rank_and_place(point.streams, seen, point, reading, name);
        !text.empty())
      return text;
  }
  const bool special = std::ranges::any_of(seen.distinct, trace::may_have_special);
  if (special) source_.need("meant");
  const std::string text =
      fmt::format("of({}, {})", table_of(point.streams, seen, name), point.k());
  return special ? "meant(" + text + ")" : text;
}

std::string Values::at(const trace::Value& value, Point& point, const Reading& reading,
                       const std::string& name) {
  const Seen all = seen_by(value, point.streams, point.times);
  return at(reading.says_none ? all : without_none(all), point, reading, name);
}

}  // namespace reprise::generate
