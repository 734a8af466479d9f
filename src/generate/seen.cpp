#include "generate/seen.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "analyze/series_text.hpp"
#include "trace/special.hpp"

namespace reprise::generate {

using trace::Series;
using trace::Term;

namespace {

bool is_only(const std::vector<Term>& terms, std::int64_t value) {
  return std::ranges::all_of(terms, [&](const Term& t) {
    if (t.step != 0 && t.count != 1) return false;
    return t.is_run() ? t.value == value : is_only(t.body, value);
  });
}

}  // namespace

bool Seen::is_constant_each() const { return std::ranges::all_of(distinct, &Series::is_constant); }

std::optional<std::int64_t> only_value(const Series& series, std::uint64_t n) {
  if (series.is_constant() || n <= 1) return series.at(0);
  const std::int64_t first = series.at(0);
  if (is_only(analyze::first_terms(series, n), first)) return first;
  return std::nullopt;
}

Seen without_none(const Seen& seen) {
  constexpr std::uint64_t kMaxLooked = 1 << 16;
  Seen out;
  std::vector<std::optional<std::size_t>> becomes;  // none: nothing was ever recorded
  for (std::size_t i = 0; i < seen.distinct.size(); ++i) {
    std::set<std::int64_t> found;
    const std::uint64_t n = seen.distinct[i].is_constant() ? 1 : seen.length[i];
    trace::SeriesCursor cursor(seen.distinct[i]);
    for (std::uint64_t k = 0; k < n && k < kMaxLooked && found.size() < 3; ++k)
      found.insert(cursor.next());
    const bool had_none = found.erase(trace::kNone) > 0 && n <= kMaxLooked;
    if (had_none && found.empty()) {
      becomes.emplace_back();
      continue;
    }
    const bool is_one = had_none && found.size() == 1;
    Series series = is_one ? Series::constant(*found.begin()) : seen.distinct[i];
    const auto known = std::ranges::find(out.distinct, series);
    becomes.emplace_back(static_cast<std::size_t>(known - out.distinct.begin()));
    if (known == out.distinct.end()) {
      out.distinct.push_back(std::move(series));
      out.length.push_back(0);
    }
    out.length[*becomes.back()] = std::max(out.length[*becomes.back()], seen.length[i]);
  }
  if (out.distinct.empty()) return seen;
  for (const std::size_t w : seen.which) out.which.push_back(becomes[w].value_or(0));
  return out;
}

Seen seen_by(const trace::Value& value, const Streams& streams, const TimesOf& times) {
  Seen out;
  std::vector<std::uint64_t> length(value.classes.size(), 0);
  const auto class_of = [&](std::uint64_t s) {
    return static_cast<std::size_t>(value.series_of(s) - value.classes.data());
  };
  std::vector<std::size_t> classes;
  trace::SeriesCursor by_stream(value.by_stream);
  std::vector<std::int64_t> numbers;
  std::uint64_t at = 0;
  for (const std::uint64_t s : streams) {
    if (value.classes.empty()) {
      for (; at < s; ++at) by_stream.next();
      ++at;
      numbers.push_back(by_stream.next());
    } else {
      classes.push_back(value.classes.size() == 1 ? 0 : class_of(s));
      length[classes.back()] = std::max(length[classes.back()], times(s));
    }
  }
  const auto add = [&](Series series, std::uint64_t n) {
    const auto known = std::ranges::find(out.distinct, series);
    const auto index = static_cast<std::size_t>(known - out.distinct.begin());
    if (known == out.distinct.end()) {
      out.distinct.push_back(std::move(series));
      out.length.push_back(0);
    }
    out.length[index] = std::max(out.length[index], n);
    return index;
  };
  std::map<std::int64_t, std::size_t> of_number;
  std::vector<std::optional<std::size_t>> of_class(value.classes.size());
  for (std::size_t i = 0; i < streams.size(); ++i) {
    if (value.classes.empty()) {
      const auto [entry, is_new] = of_number.try_emplace(numbers[i], 0);
      if (is_new) entry->second = add(Series::constant(numbers[i]), 1);
      out.which.push_back(entry->second);
      continue;
    }
    auto& index = of_class[classes[i]];
    if (!index) {
      const Series& series = value.classes[classes[i]];
      const std::uint64_t n = length[classes[i]];
      const auto only = only_value(series, n);
      const bool alone = value.classes.size() == 1;
      index = add(only    ? Series::constant(*only)
                  : alone ? series
                          : analyze::refolded(series, n),
                  n);
    }
    out.which.push_back(*index);
  }
  return out;
}

}  // namespace reprise::generate
