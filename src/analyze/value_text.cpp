#include "analyze/value_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analyze/describe.hpp"
#include "analyze/series_text.hpp"
#include "trace/rank_set.hpp"
#include "trace/series_folder.hpp"
#include "trace/series_sum.hpp"
#include "trace/special.hpp"

namespace reprise::analyze {

using trace::Encoding;
using trace::Kind;
using trace::Series;
using trace::Trace;
using trace::Value;

namespace {

constexpr std::size_t kMaxCases = 6;            // of a value, before its ranks are folded
constexpr std::uint64_t kMaxStreams = 1 << 20;  // looked at one by one to describe a value
constexpr std::uint64_t kMaxChecked = 1 << 16;  // elements looked at to see whether lists repeat
constexpr std::size_t kFewRanks = 4;            // are listed, whatever their pattern

// How one number of a value reads: ranks that are written relative say so.
std::string written_text(ValueMeaning m, Encoding encoding, std::int64_t v) {
  if (trace::is_special(v) || encoding == Encoding::absolute) return describe_number(m.kind, v);
  if (encoding == Encoding::exclusive_or) return fmt::format("rank^{}", v);
  if (v == 0) return "rank";
  if (m.size > 0 && v > m.size / 2) return fmt::format("rank-{}", m.size - v);
  return fmt::format("rank+{}", v);
}

struct Case {
  std::int64_t number;  // the value, or the class
  std::vector<std::uint64_t> streams;
};

// In order of appearance.
std::vector<Case> cases_of(const Trace& trace, const Value& value) {
  std::vector<Case> out;
  std::map<std::int64_t, std::size_t> known;
  trace::SeriesCursor c(value.by_stream);
  for (std::uint64_t s = 0; s < std::min(trace.streams(), kMaxStreams); ++s) {
    const std::int64_t number = c.next();
    const auto [entry, is_new] = known.emplace(number, out.size());
    if (is_new) out.push_back({number, {}});
    out[entry->second].streams.push_back(s);
  }
  return out;
}

// The values of all streams, one after the other; absolute ranks if those are known.
std::string by_rank_text(const Trace& trace, const Value& value, ValueMeaning m) {
  const bool absolute =
      value.encoding != Encoding::absolute && m.size == static_cast<std::int64_t>(trace.ranks);
  trace::SeriesFolder folder;
  trace::SeriesCursor c(value.by_stream);
  const std::uint64_t n = std::min(trace.streams(), kMaxStreams);
  for (std::uint64_t s = 0; s < n; ++s) {
    const std::int64_t v = c.next();
    const auto rank = static_cast<std::int64_t>(s / trace.threads);
    folder.append(absolute ? trace::decode_rank(value.encoding, v, rank, m.size) : v);
  }
  const Encoding encoding = absolute ? Encoding::absolute : value.encoding;
  return "by rank {" +
         series_text(folder.finish(), n,
                     [&](std::int64_t v) { return written_text(m, encoding, v); }) +
         "}";
}

using CaseText = std::function<std::string(const Case&)>;

std::string cases_text(const Trace& trace, const std::vector<Case>& cases, const CaseText& text) {
  std::string out;
  for (std::size_t i = 0; i < cases.size() && i < kMaxCases; ++i) {
    out += fmt::format("{}{} on {}", i ? ", " : "", text(cases[i]),
                       streams_text(trace, cases[i].streams));
  }
  if (cases.size() > kMaxCases) out += fmt::format(", {} more", cases.size() - kMaxCases);
  return "(" + out + ")";
}

// What streams do that never ask for a value is of no interest.
void drop_unasked(std::vector<Case>& cases, const Times& times) {
  std::vector<Case> asked;
  for (const Case& c : cases) {
    Case kept{c.number, {}};
    std::ranges::copy_if(c.streams, std::back_inserter(kept.streams),
                         [&](std::uint64_t s) { return times.of(s) > 0; });
    if (!kept.streams.empty()) asked.push_back(std::move(kept));
  }
  if (!asked.empty()) cases = std::move(asked);
}

// The stream of a case that sees most of a series: others see less of the same.
std::uint64_t busiest_of(const Case& c, const Times& times) {
  return std::ranges::max(c.streams, {}, [&](std::uint64_t s) { return times.of(s); });
}

std::string quoted(const std::vector<std::int64_t>& characters) {
  std::string out = "\"";
  for (const std::int64_t c : characters) {
    if (c == '"' || c == '\\') out += '\\';
    out += c >= 32 && c < 127 ? std::string(1, static_cast<char>(c))
                              : fmt::format("\\x{:02x}", c & 0xff);
  }
  return out + "\"";
}

class ListText {
 public:
  ListText(const Value& length, const Value& elements, ValueMeaning m, const Times& executions)
      : length_(length), elements_(elements), meaning_(m), executions_(executions) {}

  std::string of(std::uint64_t stream) const {
    const std::uint64_t times = executions_.of(stream);
    const auto total = static_cast<std::uint64_t>(trace::sum_of(length_, stream, times));
    const Series* lengths = length_.series_of(stream);
    const Series* elements = elements_.series_of(stream);
    const auto number = [&](std::int64_t v) {
      return written_text(meaning_, elements_.encoding, v);
    };
    const bool same_length = !lengths || lengths->is_constant();
    if (same_length) {
      const std::int64_t n = lengths ? lengths->at(0) : length_.constant_of(stream);
      if (n <= 0) return "[]";
      const auto length = static_cast<std::uint64_t>(n);
      const Series own = elements ? *elements : Series::constant(elements_.constant_of(stream));
      if (meaning_.kind == Kind::character && length <= kMaxChecked &&
          repeats(own, length, total)) {
        return quoted(first(own, length));
      }
      if (repeats(own, length, total)) {
        return fmt::format("[{}{}]", length > 8 ? fmt::format("{}: ", length) : "",
                           series_text(own, length, number));
      }
      return fmt::format("[{}: {}]", length, series_text(own, total, number));
    }
    const auto plain = [](std::int64_t v) { return std::to_string(v); };
    const Series own = elements ? *elements : Series::constant(elements_.constant_of(stream));
    return fmt::format("[{{{}}}: {}]", series_text(*lengths, times, plain),
                       series_text(own, total, number));
  }

 private:
  static std::vector<std::int64_t> first(const Series& s, std::uint64_t n) {
    std::vector<std::int64_t> out;
    trace::SeriesCursor c(s);
    while (out.size() < n) out.push_back(c.next());
    return out;
  }

  // Whether each list is the first one again.
  static bool repeats(const Series& s, std::uint64_t length, std::uint64_t total) {
    if (s.is_constant()) return true;
    if (length > kMaxChecked) return total <= length;
    const std::vector<std::int64_t> one = first(s, length);
    trace::SeriesCursor c(s);
    const std::uint64_t checked = std::min(total, std::max(kMaxChecked, 2 * length));
    for (std::uint64_t k = 0; k < checked; ++k) {
      if (c.next() != one[k % length]) return false;
    }
    if (checked == total) return true;
    const trace::Term& last = s.terms().back();
    return last.step == 0 && last.count == trace::kUnbounded && length % last.period == 0;
  }

  const Value& length_;
  const Value& elements_;
  ValueMeaning meaning_;
  const Times& executions_;
};

}  // namespace

std::string streams_text(const Trace& trace, const std::vector<std::uint64_t>& streams) {
  const auto ranks_text = [](const std::vector<std::uint64_t>& ranks) {
    if (ranks.size() > kFewRanks || ranks.back() - ranks.front() + 1 == ranks.size()) {
      return trace::describe_ranks(ranks);
    }
    return fmt::format("{}", fmt::join(ranks, " "));
  };
  if (trace.threads == 1) return ranks_text(streams);
  std::map<std::uint64_t, std::vector<std::uint64_t>> ranks_of_thread;
  for (const std::uint64_t s : streams)
    ranks_of_thread[s % trace.threads].push_back(s / trace.threads);
  std::string out;
  for (const auto& [thread, ranks] : ranks_of_thread) {
    out += fmt::format("{}{} thread {}", out.empty() ? "" : ", ", ranks_text(ranks), thread);
  }
  return out;
}

std::vector<std::uint64_t> streams_with(const Trace& trace, const Value& value,
                                        std::int64_t wanted) {
  std::vector<std::uint64_t> out;
  trace::SeriesCursor c(value.by_stream);
  for (std::uint64_t s = 0; s < trace.streams(); ++s) {
    if (c.next() == wanted) out.push_back(s);
  }
  return out;
}

std::string value_text(const Trace& trace, const Value& value, ValueMeaning m, const Times& times) {
  const auto number = [&](std::int64_t v) { return written_text(m, value.encoding, v); };
  const auto series = [&](const Series& s, std::uint64_t stream) {
    return s.is_constant() ? number(s.at(0)) : "{" + series_text(s, times.of(stream), number) + "}";
  };
  if (value.classes.size() == 1) {
    return series(value.classes.front(), times.busiest);
  }
  if (value.is_constant()) return number(value.by_stream.at(0));
  std::vector<Case> cases = cases_of(trace, value);
  if (value.classes.empty()) {
    drop_unasked(cases, times);
    if (cases.size() > kMaxCases) return by_rank_text(trace, value, m);
    if (cases.size() == 1) return number(cases.front().number);
    return cases_text(trace, cases, [&](const Case& c) { return number(c.number); });
  }
  drop_unasked(cases, times);
  const auto text = [&](const Case& c) {
    const std::uint64_t stream = busiest_of(c, times);
    return series(*value.series_of(stream), stream);
  };
  return cases.size() == 1 ? text(cases.front()) : cases_text(trace, cases, text);
}

std::string list_text(const Trace& trace, const Value& length, const Value& elements,
                      ValueMeaning m, const Times& executions) {
  const ListText list(length, elements, m, executions);
  const bool one_length = length.classes.size() == 1 || length.is_constant();
  const bool one_content = elements.classes.size() == 1 || elements.is_constant();
  if (one_length && one_content) {
    return list.of(executions.busiest);
  }
  // A case for each pair of a length and a content.
  std::vector<Case> cases;
  std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> known;
  trace::SeriesCursor lengths(length.by_stream), contents(elements.by_stream);
  for (std::uint64_t s = 0; s < std::min(trace.streams(), kMaxStreams); ++s) {
    const std::pair pair(one_length ? 0 : lengths.next(), one_content ? 0 : contents.next());
    const auto [entry, is_new] = known.emplace(pair, cases.size());
    if (is_new) cases.push_back({0, {}});
    cases[entry->second].streams.push_back(s);
  }
  drop_unasked(cases, executions);
  const auto text = [&](const Case& c) { return list.of(busiest_of(c, executions)); };
  return cases.size() == 1 ? text(cases.front()) : cases_text(trace, cases, text);
}

}  // namespace reprise::analyze
