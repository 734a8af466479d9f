#include "generate/c_lists.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "base/escape.hpp"
#include "generate/c_patterns.hpp"
#include "trace/series_folder.hpp"
#include "trace/series_sum.hpp"
#include "trace/special.hpp"

namespace reprise::generate {

namespace {

using Numbers = std::vector<std::int64_t>;

constexpr std::uint64_t kMaxFixed = 1 << 16;   // elements of a list that are looked at
constexpr std::uint64_t kMaxLooked = 1 << 22;  // elements of all lists of one class
constexpr std::size_t kMaxLiteral = 24;        // elements that are written in the call
constexpr std::size_t kFewNumbers = 4;         // likewise, where an array can be named instead
constexpr std::size_t kMaxNamed = 256;         // elements of an array of one list
constexpr std::size_t kMaxChoice = 3;          // literals to choose from

// The first list, if each of the others is the same.
std::optional<Numbers> repeated(const trace::Series& series, std::uint64_t length,
                                std::uint64_t total) {
  if (length > kMaxFixed || total > kMaxLooked) return std::nullopt;
  if (series.is_constant()) return Numbers(length, series.at(0));
  Numbers first;
  trace::SeriesCursor cursor(series);
  for (std::uint64_t k = 0; k < total; ++k) {
    const std::int64_t v = cursor.next();
    if (k < length) {
      first.push_back(v);
    } else if (v != first[k % length]) {
      return std::nullopt;
    }
  }
  return first;
}

}  // namespace

std::string quoted(const Numbers& characters) {
  std::string text;
  for (const std::int64_t c : characters) text += static_cast<char>(c);
  return c_string(text);
}

std::optional<Numbers> Lists::only_filled(const ListColumn& list, const Point& point) {
  Numbers found;
  std::uint64_t looked = 0;
  for (const std::uint64_t s : point.streams) {
    trace::ValueCursor lengths(list.length, s), elements(list.elements, s);
    for (std::uint64_t k = 0; k < point.times(s); ++k) {
      Numbers one;
      const std::int64_t n = lengths.next();
      for (std::int64_t i = 0; i < n && looked < kMaxLooked; ++i, ++looked)
        one.push_back(elements.next());
      if (looked >= kMaxLooked || (!found.empty() && !one.empty() && one != found))
        return std::nullopt;
      if (!one.empty()) found = std::move(one);
    }
  }
  return found;
}

std::optional<Numbers> Lists::only_beginnings(const ListColumn& list, const Point& point) {
  Numbers longest;
  std::uint64_t looked = 0;
  for (const std::uint64_t s : point.streams) {
    trace::ValueCursor lengths(list.length, s), elements(list.elements, s);
    for (std::uint64_t k = 0; k < point.times(s); ++k) {
      const auto n = static_cast<std::size_t>(std::max<std::int64_t>(0, lengths.next()));
      for (std::size_t i = 0; i < n; ++i, ++looked) {
        const std::int64_t v = elements.next();
        if (i == longest.size()) longest.push_back(v);
        if (v != longest[i] || looked >= kMaxLooked || i >= kMaxNamed) return std::nullopt;
      }
    }
  }
  if (longest.empty()) return std::nullopt;
  return longest;
}

std::optional<std::vector<Numbers>> Lists::fixed(const ListColumn& list, const Point& point) {
  if (list.is_of_root) {
    if (const auto only = only_filled(list, point))
      return std::vector<Numbers>(point.streams.size(), *only);
  }
  const Seen lengths = seen_by(list.length, point.streams, point.times);
  if (!lengths.is_constant_each()) return std::nullopt;
  std::vector<std::uint64_t> length;
  for (const std::size_t w : lengths.which)
    length.push_back(
        static_cast<std::uint64_t>(std::max<std::int64_t>(0, lengths.distinct[w].at(0))));
  std::map<std::uint64_t, std::uint64_t> totals;
  for (std::size_t i = 0; i < point.streams.size(); ++i)
    totals[point.streams[i]] = length[i] * point.times(point.streams[i]);
  const Seen seen =
      seen_by(list.elements, point.streams, [&](std::uint64_t s) { return totals[s]; });
  std::vector<Numbers> out;
  std::map<std::pair<std::size_t, std::uint64_t>, std::optional<Numbers>> known;
  for (std::size_t i = 0; i < point.streams.size(); ++i) {
    auto& one = known[{seen.which[i], length[i]}];
    if (!one)
      one = repeated(seen.distinct[seen.which[i]], length[i],
                     length[i] ? seen.length[seen.which[i]] / length[i] * length[i] : 0);
    if (!one) return std::nullopt;
    out.push_back(*one);
  }
  return out;
}

std::optional<Numbers> Lists::only_list(const ListColumn& list, const Point& point) {
  const auto lists = fixed(list, point);
  if (!lists || std::ranges::adjacent_find(*lists, std::ranges::not_equal_to()) != lists->end())
    return std::nullopt;
  return lists->front();
}

std::string Lists::literal(const Numbers& list, const Reading& reading) const {
  if (list.empty()) return "NULL";
  std::vector<std::string> words;
  for (const std::int64_t v : list)
    words.push_back(reading.word ? reading.word(v) : number_text(v));
  if (reading.type != "int[3]")
    return fmt::format("({}[]){{{}}}", reading.type, fmt::join(words, ", "));
  std::string out;
  for (std::size_t i = 0; i + 2 < words.size(); i += 3)
    out += fmt::format("{}{{{}, {}, {}}}", i ? ", " : "", words[i], words[i + 1], words[i + 2]);
  return "(int[][3]){" + out + "}";
}

std::optional<std::string> Lists::of_one_kind(const Numbers& list, const Reading& reading) {
  const bool is_one = std::ranges::adjacent_find(list, std::ranges::not_equal_to()) == list.end();
  if (!is_one || reading.type != "MPI_Datatype") return std::nullopt;
  source_.need("types");
  return fmt::format("types({}, {})", list.size(), reading.word(list.front()));
}

std::string Lists::by_element(const std::vector<Numbers>& lists, Point& point,
                              const Reading& reading) {
  const std::size_t n = lists.front().size();
  if (n > kMaxLiteral || reading.type == "int[3]") return {};
  std::vector<std::string> words;
  for (std::size_t j = 0; j < n; ++j) {
    Numbers values;
    for (const Numbers& l : lists) {
      if (l.size() != n) return {};
      values.push_back(l[j]);
    }
    const auto word = values_.law(point.streams, values, reading);
    if (!word) return {};
    words.push_back(*word);
  }
  return fmt::format("({}[]){{{}}}", reading.type, fmt::join(words, ", "));
}

ListText Lists::write_fixed(const std::vector<Numbers>& lists, Point& point, const Reading& reading,
                            const std::string& name) {
  ListText out;
  Numbers lengths;
  std::vector<Numbers> distinct;
  std::vector<std::size_t> which;
  for (const Numbers& l : lists) {
    lengths.push_back(std::ssize(l) / (reading.type == "int[3]" ? 3 : 1));
    const auto found = std::ranges::find(distinct, l);
    which.push_back(static_cast<std::size_t>(found - distinct.begin()));
    if (found == distinct.end()) distinct.push_back(l);
  }
  out.length = values_.by_stream(point.streams, lengths, {}, name + "_LENGTH");
  const std::size_t longest = std::ranges::max(distinct, {}, &Numbers::size).size();
  const bool is_named = reading.is_number && reading.type != "int[3]" && longest > kFewNumbers;
  if (!is_named && distinct.size() == 1 && longest > kFewNumbers) {
    if (auto same = of_one_kind(distinct.front(), reading)) {
      out.array = *same;
      return out;
    }
  }
  if (distinct.size() <= kMaxChoice && longest <= kMaxLiteral && !is_named) {
    std::vector<std::string> texts;
    for (const Numbers& l : distinct) texts.push_back(literal(l, reading));
    out.array = values_.choose(point.streams, which, texts, reading.type + " *", name);
    return out;
  }
  if (!is_named || distinct.size() > 1) out.array = by_element(lists, point, reading);
  if (!out.array.empty()) return out;
  if (!reading.is_number) {
    if (distinct.size() > 64) throw Unwritable{"ranks differ too much in lists of handles"};
    std::vector<std::string> texts;
    for (const Numbers& l : distinct) texts.push_back(literal(l, reading));
    out.array = values_.choose(point.streams, which, texts, reading.type + " *", name);
    return out;
  }
  if (reading.type != "int[3]") {
    if (const auto row = values_.rows(point.streams, distinct, which, reading, name)) {
      out.array = *row;
      return out;
    }
  }
  Seen seen{{}, {}, which};
  for (const Numbers& l : distinct) {
    trace::SeriesFolder folder;
    for (const std::int64_t v : l) folder.append(v);
    seen.distinct.push_back(folder.finish());
    seen.length.push_back(l.size());
  }
  const std::string table = values_.table_of(point.streams, seen, name);
  const bool wide = reading.type == "MPI_Aint";
  source_.need(wide ? "aints" : "ints");
  const std::string size = reading.type == "int[3]" ? "3 * (" + out.length + ")" : out.length;
  out.array = fmt::format("{}{}({}, 0, {})", reading.type == "int[3]" ? "(int (*)[3])" : "",
                          wide ? "aints" : "ints", table, size);
  return out;
}

std::optional<std::string> Lists::by_execution(const Seen& seen, std::size_t length, Point& point,
                                               const Reading& reading, const std::string& name) {
  std::vector<Numbers> values;
  std::size_t table = 0, executions = 0, period = 1;
  for (std::size_t i = 0; i < seen.distinct.size(); ++i) {
    values.push_back(first_of(seen.distinct[i], seen.length[i]));
    if (values.back().empty() || values.back().size() % length != 0) return std::nullopt;
    table += Source::table_size(seen.distinct[i], seen.length[i]);
    const std::size_t own = period_of(values.back()), n = values.back().size() / length;
    period = std::max(period, std::lcm(own, length) / length);
    executions = std::max(executions, n);
  }
  period = std::min(period, executions);
  std::size_t size = 0;
  std::vector<std::vector<std::string>> lists;
  for (const Numbers& v : values) {
    std::vector<std::string>& own = lists.emplace_back();
    // Behind its own end each begins anew.
    for (std::size_t k = 0; k < period; ++k) {
      std::vector<std::string> words;
      for (std::size_t i = 0; i < length; ++i)
        words.push_back(reading.word(v[(k * length + i) % v.size()]));
      own.push_back(fmt::format("{{{}}}", fmt::join(words, ", ")));
      size += own.back().size() + 2;
    }
  }
  if (!is_readable(size, table)) return std::nullopt;
  for (const Numbers& v : values) {
    for (std::size_t k = period * length; k < v.size(); ++k) {
      if (v[k] != v[k - period * length]) return std::nullopt;
    }
  }
  const std::string place = place_in(period, executions, point);
  const std::string array = values_.rows_of(point.streams, seen.which, lists, reading.type,
                                            fmt::format("[{}]", length), name);
  return array.empty() ? std::nullopt : std::optional(fmt::format("{}[{}]", array, place));
}

ListText Lists::write_varying(const ListColumn& list, Point& point, const Reading& reading,
                              const std::string& name) {
  const Seen lengths = seen_by(list.length, point.streams, point.times);
  std::map<std::uint64_t, std::uint64_t> totals;
  for (const std::uint64_t s : point.streams)
    totals[s] = static_cast<std::uint64_t>(trace::sum_of(list.length, s, point.times(s)));
  const Seen seen =
      seen_by(list.elements, point.streams, [&](std::uint64_t s) { return totals[s]; });
  if (!reading.is_number) return write_alike(list, seen, point, reading, name);
  ListText out;
  if (const auto longest = only_beginnings(list, point); longest && reading.type != "int[3]") {
    out.length = values_.at(list.length, point, {}, name + "_LENGTH");
    std::vector<std::string> words;
    for (const std::int64_t v : *longest) words.push_back(reading.word(v));
    out.array = source_.array(name, reading.type, words);
    return out;
  }
  const std::int64_t each = lengths.distinct[0].at(0);
  if (lengths.is_constant_each() && lengths.distinct.size() == 1 && each > 0 &&
      reading.type != "int[3]") {
    if (const auto array =
            by_execution(seen, static_cast<std::size_t>(each), point, reading, name)) {
      out.length = std::to_string(each);
      out.array = *array;
      return out;
    }
  }
  const std::string table = values_.table_of(point.streams, seen, name);
  out.length = values_.at(list.length, point, {}, name + "_LENGTH");
  std::string from;
  if (lengths.is_constant_each()) {
    from = fmt::format("{} * {}", point.k(), operand(out.length));
  } else {
    // Lists of varying length stand one behind the other: where the next begins is counted.
    const std::string at = source_.counter("from_" + name), n = "n_" + name;
    out.before = fmt::format("const int {} = (int){};", n, operand(out.length));
    out.length = n;
    from = fmt::format("({} += {}) - {}", at, n, n);
  }
  const bool wide = reading.type == "MPI_Aint";
  source_.need(wide ? "aints" : "ints");
  if (reading.type == "int[3]") {
    out.array = fmt::format("(int (*)[3])ints({}, {}, {})", table, from, out.length);
    out.length = fmt::format("({}) / 3", out.length);
  } else {
    out.array = fmt::format("{}({}, {}, {})", wide ? "aints" : "ints", table, from, out.length);
  }
  return out;
}

// Lists of one and the same element that are longer or shorter are the beginning of the longest.
ListText Lists::write_alike(const ListColumn& list, const Seen& seen, Point& point,
                            const Reading& reading, const std::string& name) {
  const Seen lengths = seen_by(list.length, point.streams, point.times);
  std::int64_t longest = 0;
  for (std::size_t i = 0; i < lengths.distinct.size(); ++i) {
    trace::SeriesCursor cursor(lengths.distinct[i]);
    for (std::uint64_t k = 0; k < std::min(lengths.length[i], kMaxLooked); ++k)
      longest = std::max(longest, cursor.next());
  }
  const bool alike =
      seen.distinct.size() == 1 && only_value(seen.distinct[0], seen.length[0]).has_value();
  if (!alike || longest > 1024)
    throw Unwritable{"a list of handles or constants changes as it runs"};
  ListText out;
  out.length = values_.at(list.length, point, {}, name + "_LENGTH");
  const Numbers all(static_cast<std::size_t>(longest), seen.distinct[0].at(0));
  const auto same = all.size() > kFewNumbers ? of_one_kind(all, reading) : std::nullopt;
  out.array = same ? *same : literal(all, reading);
  return out;
}

std::optional<Numbers> Lists::counts_down(const ListColumn& list, const Point& point) {
  std::uint64_t looked = 0;
  Numbers out;
  for (const std::uint64_t s : point.streams) {
    trace::ValueCursor lengths(list.length, s), elements(list.elements, s);
    std::optional<std::int64_t> last;
    for (std::uint64_t k = 0; k < point.times(s); ++k) {
      const std::int64_t n = lengths.next(), first = n > 0 ? elements.next() : 0;
      const std::int64_t own = first - n + 1;
      if (n > 0 && (own < 0 || last.value_or(own) != own || trace::is_special(first)))
        return std::nullopt;
      if (n > 0) last = own;
      for (std::int64_t i = 1; i < n; ++i) {
        if (elements.next() != first - i || ++looked > kMaxLooked) return std::nullopt;
      }
      if (elements.is_constant() && lengths.is_constant() && n <= 1) break;
    }
    out.push_back(last.value_or(0));
  }
  return out;
}

ListText Lists::write(const ListColumn& list, Point& point, const Reading& reading,
                      const std::string& name) {
  auto lists = fixed(list, point);
  if (!lists) return write_varying(list, point, reading, name);
  const bool addresses = std::ranges::any_of(
      *lists, [](const Numbers& l) { return !l.empty() && l.front() == trace::kBottom; });
  if (addresses) {
    for (Numbers& l : *lists) {
      if (!l.empty() && l.front() == trace::kBottom) l.erase(l.begin());
    }
  }
  ListText out = write_fixed(*lists, point, reading, name);
  out.is_addresses = addresses;
  return out;
}

std::string Lists::string(const ListColumn& list, Point& point, const std::string& name) {
  const auto lists = fixed(list, point);
  if (!lists) throw Unwritable{"a text changes as it runs"};
  std::vector<Numbers> distinct;
  std::vector<std::size_t> which;
  for (const Numbers& l : *lists) {
    const auto found = std::ranges::find(distinct, l);
    which.push_back(static_cast<std::size_t>(found - distinct.begin()));
    if (found == distinct.end()) distinct.push_back(l);
  }
  std::vector<std::string> texts;
  for (const Numbers& l : distinct) texts.push_back(quoted(l));
  return values_.choose(point.streams, which, texts, "const char *", name);
}

}  // namespace reprise::generate
