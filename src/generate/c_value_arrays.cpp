// The values that no expression tells, as arrays of C, or as folded tables where those are shorter.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "generate/c_patterns.hpp"
#include "generate/c_values.hpp"
#include "trace/series_folder.hpp"
#include "trace/series_sum.hpp"
#include "trace/special.hpp"

namespace reprise::generate {

using trace::Series;

namespace {

constexpr std::int64_t kMaxArray = 64;  // numbers that are an array as they are
constexpr std::size_t kShortPair = 8;   // of numbers that stand where they are needed [characters]
constexpr std::size_t kLongRows = 500;  // for which a list of who has which pays [characters]
constexpr std::uint64_t kMaxCells = 4096;  // of lists that are rows

std::string array_type(const std::vector<std::int64_t>& values) {
  const bool fit = std::ranges::all_of(values, [](std::int64_t v) {
    return trace::is_special(v) || !number_text(v).ends_with("LL");
  });
  return fit ? "int" : "long long";
}

// How much text the numbers are [characters].
std::size_t size_of(const std::vector<std::int64_t>& values, std::uint64_t n) {
  std::size_t size = 0;
  for (std::uint64_t k = 0; k < n; ++k) size += number_text(values[k]).size() + 2;
  return size;
}

// How often each number comes one behind the other, and the number; the last comes for ever.
std::vector<std::int64_t> runs_of(const std::vector<std::int64_t>& values) {
  std::vector<std::int64_t> out;
  for (const std::int64_t v : values) {
    if (out.empty() || out.back() != v) out.insert(out.end(), {0, v});
    ++out[out.size() - 2];
  }
  if (!out.empty()) out[out.size() - 2] = 0;
  return out;
}

std::size_t size_in_runs(const std::vector<std::int64_t>& values) {
  const std::vector<std::int64_t> runs = runs_of(values);
  return size_of(runs, runs.size());
}

// A row that begins with how many numbers it has.
std::vector<std::int64_t> counted(const std::vector<std::int64_t>& values, std::size_t n) {
  std::vector<std::int64_t> out{static_cast<std::int64_t>(n)};
  out.insert(out.end(), values.begin(), values.begin() + static_cast<std::ptrdiff_t>(n));
  return out;
}

}  // namespace

bool is_readable(std::size_t array, std::size_t table) { return array <= table + table / 4 + 120; }

std::string Values::stream_table(const Streams& streams, const std::vector<std::int64_t>& values,
                                 const std::string& name) {
  const Axis by = axis(streams, values);
  std::map<std::int64_t, std::int64_t> known;
  for (std::size_t i = 0; i < streams.size(); ++i) known.emplace(by.of(streams[i]), values[i]);
  if (known.rbegin()->first < kMaxArray) {
    std::vector<std::string> words(static_cast<std::size_t>(known.rbegin()->first) + 1, "0");
    for (const auto& [at, value] : known) words[static_cast<std::size_t>(at)] = array_word(value);
    return fmt::format("{}[{}]", source_.array(name, array_type(values), words), by.variable);
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

std::string Values::array_word(std::int64_t v, const Reading& reading) {
  if (!trace::is_special(v)) return reading.word ? reading.word(v) : number_text(v);
  if (reading.word) {
    const std::string word = reading.word(v);
    if (word.find_first_not_of("-0123456789") == std::string::npos) return word;
  }
  if (v == trace::kProcNull) {
    source_.need("NOBODY");
    return "NOBODY";
  }
  if (v == trace::kNone) return "0";
  return v >= trace::kNull ? "-1" : std::string(trace::special_name(v));
}

std::string Values::number(const Series& series, std::uint64_t n, Point& point,
                           const Reading& reading, const std::string& name) {
  if (const std::string text = pattern(series, n, point); !text.empty()) return text;
  if (reading.settles) {
    const Seen seen{{series}, {n}, std::vector<std::size_t>(point.streams.size(), 0)};
    if (std::string text = by_runs(point.streams, seen, point, name); !text.empty()) return text;
  }
  const std::vector<std::int64_t> values = first_of(series, n);
  const std::uint64_t period = round_of_all(values, point);
  if (period > 0 && is_readable(size_of(values, period), Source::table_size(series, n))) {
    std::vector<std::string> words;
    for (std::uint64_t k = 0; k < period; ++k) words.push_back(array_word(values[k]));
    if (words.size() == 2 && words[0].size() + words[1].size() <= kShortPair)
      return fmt::format("({} ? {} : {})", place_in(period, n, point), words[1], words[0]);
    return fmt::format("{}[{}]", source_.array(name, array_type(values), words),
                       place_in(period, n, point));
  }
  const std::string text = fmt::format("of({}, {})", source_.table(name, series, n), point.k());
  if (!trace::may_have_special(series)) return text;
  source_.need("meant");
  return fmt::format("meant({})", text);
}

bool Values::is_short(const Streams& streams, const Seen& seen, const Reading& reading) const {
  if (trace_.threads > 1 || streams.empty() || trace_.ranks > kMaxArray) return false;
  std::size_t array = 0, table = 0;
  for (std::size_t i = 0; i < seen.distinct.size(); ++i) {
    const std::vector<std::int64_t> values = first_of(seen.distinct[i], seen.length[i]);
    if (values.empty() && seen.length[i] > 0) return false;
    const std::size_t periodic = size_of(values, period_of(values));
    array += 2 + (reading.settles ? std::min(periodic, size_in_runs(values)) : periodic);
    table += Source::table_size(seen.distinct[i], seen.length[i]);
  }
  return is_readable(array, table);
}

std::string Values::by_runs(const Streams& streams, const Seen& seen, Point& point,
                            const std::string& name) {
  std::size_t in_runs = 0, periodic = 0;
  std::vector<std::vector<std::int64_t>> values;
  for (std::size_t i = 0; i < seen.distinct.size(); ++i) {
    const std::vector<std::int64_t> all = first_of(seen.distinct[i], seen.length[i]);
    values.push_back(runs_of(all));
    in_runs += size_in_runs(all);
    periodic += size_of(all, period_of(all));
    if (all.empty() && seen.length[i] > 0) return {};
  }
  if (in_runs >= periodic) return {};
  if (values.size() == 1 && values[0].size() == 4 && values[0][0] == 1) {
    return fmt::format("({} == 0 ? {} : {})", point.k(), number_text(values[0][1]),
                       number_text(values[0][3]));
  }
  const auto text = rows(streams, values, seen.which, {}, name, "int");
  if (!text) return {};
  source_.need("runs");
  return fmt::format("runs({}, {})", *text, point.k());
}

std::string Values::by_rank_and_place(const Streams& streams, const Seen& given, Point& point,
                                      const Reading& reading, const std::string& name) {
  const Seen seen = point.goes_on && !reading.settles ? apart_by_length(given, point) : given;
  if (reading.settles) {
    if (std::string text = by_runs(streams, seen, point, name); !text.empty()) return text;
  }
  std::uint64_t longest = 0, period = 1;
  std::vector<std::vector<std::int64_t>> values;
  std::vector<std::int64_t> periods;
  for (std::size_t i = 0; i < seen.distinct.size(); ++i) {
    values.push_back(first_of(seen.distinct[i], seen.length[i]));
    longest = std::max(longest, seen.length[i]);
    periods.push_back(
        static_cast<std::int64_t>(std::max<std::uint64_t>(1, round_of_all(values[i], point))));
    period = std::max(period, static_cast<std::uint64_t>(periods.back()));
  }
  // All of them go round together, or each on its own.
  bool is_common = true, goes_round = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto own = static_cast<std::size_t>(periods[i]);
    goes_round |= point.goes_on || 2 * own <= values[i].size();
    if (point.goes_on || values[i].size() > period) is_common &= period % own == 0;
  }
  const bool is_own = goes_round && !is_common;
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::vector<std::int64_t>& v = values[i];
    const auto own = static_cast<std::size_t>(periods[i]);
    const std::size_t known = std::min<std::size_t>(v.size(), is_own ? own : period);
    v.resize(point.goes_on && !is_own ? period : known);
    for (std::size_t k = own; k < v.size(); ++k) v[k] = v[k - own];
  }
  std::vector<std::int64_t> own;
  for (const std::size_t w : seen.which) own.push_back(periods[w]);
  const bool takes_turns = is_own && !is_pass_of_loop(point, own);
  if (takes_turns) {
    for (std::vector<std::int64_t>& v : values) v = counted(v, v.size());
  }
  const auto text = rows(streams, values, seen.which, reading, name, takes_turns ? "int" : "");
  if (!text) return {};
  if (!is_own) return fmt::format("{}[{}]", *text, place_in(period, longest, point));
  if (!takes_turns) return fmt::format("{}[{}]", *text, point.index);
  source_.need("turn");
  return fmt::format("turn({}, {})", *text, point.k());
}

bool Values::is_pass_of_loop(const Point& point, const std::vector<std::int64_t>& periods) {
  if (!point.trips) return false;
  const Seen trips = seen_by(*point.trips, point.streams, point.times);
  if (!trips.is_constant_each()) return false;
  for (std::size_t i = 0; i < periods.size(); ++i) {
    if (trips.distinct[trips.which[i]].at(0) != periods[i]) return false;
  }
  return true;
}

std::optional<std::string> Values::rows(const Streams& streams,
                                        const std::vector<std::vector<std::int64_t>>& lists,
                                        const std::vector<std::size_t>& which,
                                        const Reading& reading, const std::string& name,
                                        std::string_view only_of) {
  std::size_t longest = 1;
  std::vector<std::int64_t> all;
  std::vector<std::vector<std::string>> words;
  for (const auto& list : lists) {
    longest = std::max(longest, list.size());
    all.insert(all.end(), list.begin(), list.end());
    std::vector<std::string>& row = words.emplace_back();
    for (const std::int64_t v : list) row.push_back(array_word(v, reading));
  }
  const std::string type = reading.type == "MPI_Aint" ? reading.type : array_type(all);
  if (!only_of.empty() && type != only_of) return std::nullopt;
  if (trace_.threads > 1 || longest * std::min<std::size_t>(lists.size(), trace_.ranks) > kMaxCells)
    return std::nullopt;
  return rows_of(streams, which, words, type, "", name);
}

std::optional<std::string> Values::rows_of_another(const Streams& streams,
                                                   const std::vector<std::size_t>& which,
                                                   const std::vector<std::string>& rows,
                                                   const std::string& type,
                                                   const std::string& extents,
                                                   const std::string& own_name) {
  std::size_t size = 0;
  for (const std::string& row : rows) size += row.size();
  for (const auto& [name, known] : source_.arrays_of(type, extents)) {
    std::vector<std::int64_t> numbers;
    for (const std::string& row : rows)
      numbers.push_back(std::ranges::find(known, row) - known.begin());
    if (std::ranges::find(numbers, std::ssize(known)) != numbers.end()) continue;
    std::vector<std::int64_t> by_stream;
    for (const std::size_t w : which) by_stream.push_back(numbers[w]);
    if (const auto place = law(streams, by_stream, {}))
      return fmt::format("{}[{}]", name, inside(*place));
    if (size >= kLongRows && trace_.ranks <= kMaxArray)
      return fmt::format("{}[{}]", name, stream_table(streams, by_stream, own_name + "_OF"));
  }
  return std::nullopt;
}

std::string Values::rows_of(const Streams& streams, const std::vector<std::size_t>& which,
                            const std::vector<std::vector<std::string>>& rows,
                            const std::string& type, const std::string& extent,
                            const std::string& name) {
  if (rows.size() == 1) return source_.array(name, type, extent, rows.front());
  const std::size_t longest =
      std::max<std::size_t>(1, std::ranges::max(rows, {}, &std::vector<std::string>::size).size());
  std::vector<std::string> texts;
  for (const auto& row : rows)
    texts.push_back(row.empty() ? "{0}" : fmt::format("{{{}}}", fmt::join(row, ", ")));
  const std::string extents = fmt::format("[{}]{}", longest, extent);
  if (auto text = rows_of_another(streams, which, texts, type, extents, name)) return *text;
  // A row for each rank, unless few of them are shared by many.
  if (trace_.ranks <= kMaxArray &&
      streams.size() * longest <= rows.size() * longest + trace_.ranks) {
    std::vector<std::string> by_rank(streams.back() + 1, extent.empty() ? "{0}" : "{{0}}");
    for (std::size_t i = 0; i < streams.size(); ++i) by_rank[streams[i]] = texts[which[i]];
    return source_.array(name, type, extents, by_rank) + "[rank]";
  }
  const std::vector<std::int64_t> numbers(which.begin(), which.end());
  return fmt::format("{}[{}]", source_.array(name, type, extents, texts),
                     inside(by_stream(streams, numbers, {}, name + "_OF")));
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
