#include "generate/c_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "expr/print.hpp"
#include "generate/plain_condition.hpp"
#include "trace/series_folder.hpp"
#include "trace/series_map.hpp"
#include "trace/series_sum.hpp"
#include "trace/special.hpp"

namespace reprise::generate {

using trace::Series;

namespace {

constexpr std::uint64_t kMaxLooked = 1 << 22;  // values of a series that are looked at one by one
constexpr std::size_t kMaxWords = 64;          // distinct words that a table may choose from
constexpr std::int64_t kMaxArray = 64;         // numbers that are an array as they are

std::string word_of(const Reading& reading, std::int64_t v) {
  return reading.word ? reading.word(v) : number_text(v);
}

// Whether the numbers themselves are their C text, MPI_PROC_NULL apart.
bool is_plain(const Reading& reading, std::int64_t v) {
  if (!reading.is_number) return false;
  return v == trace::kProcNull || (!trace::is_special(v) && word_of(reading, v) == number_text(v));
}

// Numbers of nothing but zeros and ones as a condition; others that are periodic, of one term, as
// first + step * (k / period) + the body.
std::string pattern(const Series& series, std::uint64_t n, Point& point) {
  if (const auto condition = plain_condition(series, n, point.place_text())) {
    point.k();
    return *condition;
  }
  if (series.terms().size() != 1) return {};
  const trace::Term& t = series.terms().front();
  const auto product = [](std::int64_t factor, const std::string& of) {
    return factor == 1 ? of : fmt::format("{} * {}", factor, of);
  };
  const auto sum = [](std::int64_t first, const std::string& rest) {
    return first == 0 ? rest : fmt::format("{} + {}", first, rest);
  };
  if (t.is_run()) return sum(t.value, product(t.step, point.k()));
  if (!point.place.is_known()) return {};
  const auto period = static_cast<std::int64_t>(t.period);
  const bool one_run = t.body.size() == 1 && t.body[0].is_run();
  const std::string passes = t.step == 0 ? "" : product(t.step, point.place.quotient(period));
  if (one_run && t.body[0].step != 0) {
    const std::string text =
        sum(t.body[0].value, product(t.body[0].step, point.place.remainder(period)));
    return passes.empty() ? text : text + " + " + passes;
  }
  return {};
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
  const std::int64_t by = divisor.is_constant()                                          ? divisor.value()
                          : divisor.is_variable() && divisor.name() == expr::kRanks ? ranks
                                                                                    : 0;
  const bool is_sum = dividend.op() == expr::Op::add || dividend.op() == expr::Op::subtract;
  if (by <= 0 || !is_sum || !dividend.operands()[1].is_constant()) return same;
  std::int64_t moved = dividend.operands()[1].value();
  if (dividend.op() == expr::Op::subtract) moved = -moved;
  if (moved >= 0) return same;
  return (dividend.operands()[0] + Expr((moved % by + by) % by)) % divisor;
}

// The text at a place among them; only that one is evaluated if there are two, or if they are calls.
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

std::string Values::stream_table(const Streams& streams, const std::vector<std::int64_t>& values,
                                 const std::string& name) {
  const Axis by = axis(streams, values);
  std::map<std::int64_t, std::int64_t> known;
  for (std::size_t i = 0; i < streams.size(); ++i) known.emplace(by.of(streams[i]), values[i]);
  if (known.rbegin()->first < kMaxArray) {
    std::vector<std::int64_t> all(static_cast<std::size_t>(known.rbegin()->first) + 1, 0);
    for (const auto& [at, value] : known) all[static_cast<std::size_t>(at)] = value;
    return fmt::format("{}[{}]", source_.array(name, all), by.variable);
  }
  trace::SeriesFolder folder;
  std::int64_t next = 0, last = 0;
  for (const auto& [at, value] : known) {
    // Nobody asks in between.
    folder.append(last, static_cast<std::uint64_t>(at - next));
    folder.append(value);
    last = value;
    next = at + 1;
  }
  const std::string table = source_.table(name, folder.finish(), static_cast<std::uint64_t>(next));
  return fmt::format("of({}, {})", table, by.variable);
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
  if (!plain || distinct.size() == 2) {
    std::vector<std::size_t> which;
    std::vector<std::string> words;
    for (const std::int64_t v : values)
      which.push_back(static_cast<std::size_t>(std::distance(distinct.begin(), distinct.find(v))));
    for (const std::int64_t v : distinct) words.push_back(word_of(reading, v));
    return choose(streams, which, words, reading.type, name);
  }
  const std::string text = stream_table(streams, values, name);
  if (!distinct.contains(trace::kProcNull)) return text;
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
    const bool plain = std::ranges::all_of(
        distinct, [&](auto v) { return is_plain(reading, v) && !trace::is_special(v); });
    if (!plain && distinct.size() <= kMaxWords) {
      const std::vector<std::int64_t> values(distinct.begin(), distinct.end());
      std::vector<std::string> words;
      for (const std::int64_t v : values) words.push_back(word_of(reading, v));
      const auto place_of = [&](std::int64_t v) {
        return std::ranges::lower_bound(values, v) - values.begin();
      };
      const std::string table = source_.table(name, trace::map_values(series, n, place_of), n);
      return pick(words, fmt::format("of({}, {})", table, point.k()), reading.type);
    }
  }
  if (const std::string text = pattern(series, n, point);
      !text.empty() && !trace::may_have_special(series))
    return "(" + text + ")";
  const std::string text = fmt::format("of({}, {})", source_.table(name, series, n), point.k());
  if (!trace::may_have_special(series)) return text;
  source_.need("meant");
  return fmt::format("meant({})", text);
}

std::string Values::at(const trace::Value& value, Point& point, const Reading& reading,
                       const std::string& name, const Decode& decode, bool* is_decoded) {
  const Seen all = seen_by(value, point.streams, point.times);
  const Seen seen = reading.says_none ? all : without_none(all);
  if (is_decoded) *is_decoded = seen.is_constant_each();
  if (seen.is_constant_each()) {
    std::vector<std::int64_t> values;
    for (std::size_t i = 0; i < point.streams.size(); ++i) {
      const std::int64_t stored = seen.distinct[seen.which[i]].at(0);
      values.push_back(decode ? decode(point.streams[i], stored) : stored);
    }
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
      in_tables |= reading.is_number && !endless && pattern(seen.distinct[i], seen.length[i], point).empty();
    }
    if (!in_tables) {
      for (std::size_t i = 0; i < seen.distinct.size(); ++i)
        texts.push_back(entry(seen.distinct[i], seen.length[i], point, reading, name));
      return choose(point.streams, seen.which, texts, reading.type, name);
    }
  }
  const bool special = std::ranges::any_of(seen.distinct, trace::may_have_special);
  if (special) source_.need("meant");
  const std::string text =
      fmt::format("of({}, {})", table_of(point.streams, seen, name), point.k());
  return special ? "meant(" + text + ")" : text;
}

std::string Values::table_of(const Streams& streams, const Seen& seen, const std::string& name) {
  if (seen.distinct.size() == 1) return source_.table(name, seen.distinct[0], seen.length[0]);
  std::vector<Source::Part> parts;
  for (std::size_t i = 0; i < seen.distinct.size(); ++i)
    parts.push_back({seen.distinct[i], seen.length[i]});
  const std::vector<std::int64_t> which(seen.which.begin(), seen.which.end());
  const std::string table = source_.table(name, parts);
  return fmt::format("one({}, {})", table, by_stream(streams, which, {}, name + "_OF"));
}

}  // namespace reprise::generate
