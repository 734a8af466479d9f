#include "generate/task_text.hpp"

#include <algorithm>
#include <numeric>

namespace reprise::generate {

using trace::Series;
using trace::Term;

namespace {

// Of one expression [bytes].
constexpr std::size_t kMaxText = std::size_t{1} << 22;

std::size_t count_terms(const std::vector<Term>& terms) {
  std::size_t n = terms.size();
  for (const Term& t : terms) n += count_terms(t.body);
  return n;
}

bool is_number(const std::string& text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c); });
}

// "x-3"; a minus before a parenthesis is safe, before a function it is not.
std::string minus(const std::string& text, std::uint64_t by) {
  if (by == 0) return text;
  if (is_number(text)) return std::to_string(std::stoull(text) - by);
  return "(" + text + "-" + std::to_string(by) + ")";
}

std::string plus(const std::string& value, std::int64_t factor, const std::string& text) {
  if (factor == 0) return value;
  const std::uint64_t size =
      factor < 0 ? 0 - static_cast<std::uint64_t>(factor) : static_cast<std::uint64_t>(factor);
  const std::string product = size == 1 ? text : text + "*" + std::to_string(size);
  if (factor > 0 && value == "0") return size == 1 ? text : "(" + product + ")";
  return "(" + value + (factor < 0 ? "-" : "+") + product + ")";
}

std::string number(std::int64_t v) {
  return v < 0 ? "(0-" + std::to_string(0 - static_cast<std::uint64_t>(v)) + ")"
               : std::to_string(v);
}

std::string list(const std::vector<Term>& terms, const std::string& index, std::uint64_t length);

// `index` counts from the begin of the term.
std::string term_expression(const Term& t, const std::string& index, std::uint64_t length) {
  if (t.is_run()) return t.count == 1 ? number(t.value) : plus(number(t.value), t.step, index);
  const bool once = length != 0 && length <= t.period;
  const std::string period = std::to_string(t.period);
  std::string body =
      list(t.body, once ? index : "(" + index + " MOD " + period + ")", once ? length : t.period);
  return once ? body : plus(body, t.step, "(" + index + "/" + period + ")");
}

// The text of the term that `index` is in, among those from `from` to `to`; nests as deep as the
// logarithm of their number.
std::string choose(const std::vector<std::string>& texts, const std::vector<std::uint64_t>& ends,
                   const std::string& index, std::size_t from, std::size_t to) {
  if (to - from == 1) return texts[from];
  const std::size_t middle = from + (to - from) / 2;
  const std::string low = choose(texts, ends, index, from, middle);
  const std::string high = choose(texts, ends, index, middle, to);
  if (low == high) return low;
  return "(" + low + " IF " + index + " < " + std::to_string(ends[middle - 1]) + " OTHERWISE " +
         high + ")";
}

std::string list(const std::vector<Term>& terms, const std::string& index, std::uint64_t length) {
  std::vector<std::string> texts;
  std::vector<std::uint64_t> ends;
  std::uint64_t begin = 0;
  for (const Term& t : terms) {
    if (length != 0 && begin >= length && !texts.empty()) break;
    const std::uint64_t left = length == 0 ? 0 : length - begin;
    texts.push_back(term_expression(t, minus(index, begin), left));
    begin += t.count * t.period;
    ends.push_back(begin);
  }
  return choose(texts, ends, index, 0, texts.size());
}

// Runs of ones among the first n values, [begin, end); none if there are more than a few.
struct Ones {
  std::uint64_t begin, end;
};
constexpr std::size_t kMaxRuns = 4;
constexpr std::uint64_t kMaxLooked = std::uint64_t{1} << 16;

std::optional<std::vector<Ones>> runs_of_ones(const Series& series, std::uint64_t n) {
  std::vector<Ones> out;
  trace::SeriesCursor cursor(series);
  for (std::uint64_t k = 0; k < n; ++k) {
    if (cursor.next() != 1) continue;
    if (!out.empty() && out.back().end == k) {
      ++out.back().end;
    } else if (out.size() == kMaxRuns) {
      return std::nullopt;
    } else {
      out.push_back({k, k + 1});
    }
  }
  return out;
}

std::string run_condition(const Ones& run, const std::string& index, std::uint64_t n) {
  if (run.end == run.begin + 1) return index + " = " + std::to_string(run.begin);
  const std::string low = index + " >= " + std::to_string(run.begin);
  const std::string high = index + " < " + std::to_string(run.end);
  return run.begin == 0 && run.end == n ? ""
         : run.begin == 0               ? high
         : run.end == n                 ? low
                                        : low + " /\\ " + high;
}

// Every step-th, beginning with `first`.
std::optional<std::string> stride_condition(const Series& series, const std::string& index,
                                            std::uint64_t n) {
  std::uint64_t first = 0, step = 0, seen = 0, last = 0;
  trace::SeriesCursor cursor(series);
  for (std::uint64_t k = 0; k < n; ++k) {
    if (cursor.next() != 1) continue;
    if (seen == 0) first = k;
    if (seen == 1) step = k - first;
    if (seen > 0 && k != last + step) return std::nullopt;
    last = k;
    ++seen;
  }
  if (seen < 2 || step < 2 || last + step < n || first >= step) return std::nullopt;
  return index + " MOD " + std::to_string(step) + " = " + std::to_string(first);
}

}  // namespace

std::string series_condition(const Series& series, const std::string& index, std::uint64_t length) {
  if (series.is_constant() && series.at(0) == 1) return "";
  // How far the first term goes, where it repeats itself for ever.
  const std::vector<Term>& terms = series.terms();
  const bool repeats = length == 0 && terms.size() == 1 && !terms.front().is_run() &&
                       terms.front().count == trace::kUnbounded && terms.front().step == 0;
  const std::uint64_t n = repeats ? terms.front().period : length;
  const std::string fallback = series_expression(series, index, length) + " = 1";
  if (n == 0 || n > kMaxLooked) return fallback;
  const auto runs = runs_of_ones(series, n);
  const std::string place = repeats ? "(" + index + " MOD " + std::to_string(n) + ")" : index;
  if (!runs || runs->size() > 1) {
    if (const auto stride = stride_condition(series, place, n)) return *stride;
  }
  if (!runs) return fallback;
  if (runs->empty()) return index + " < 0";
  std::string out;
  for (const Ones& run : *runs) {
    const std::string one = run_condition(run, place, n);
    out += (out.empty() ? "" : " \\/ ") + (runs->size() > 1 ? "(" + one + ")" : one);
  }
  return runs->size() > 1 ? "(" + out + ")" : out;
}

std::string series_expression(const Series& series, const std::string& index,
                              std::uint64_t length) {
  if (series.empty()) return "0";
  if (is_number(index)) {
    const std::uint64_t k = std::stoull(index);
    return number(series.at(k));
  }
  if (count_terms(series.terms()) > kMaxText / (index.size() + 16)) throw TooLong();
  return list(series.terms(), index, length);
}

std::string one_of(const std::vector<std::string>& texts, const std::string& index) {
  std::vector<std::uint64_t> ends(texts.size());
  std::iota(ends.begin(), ends.end(), 1);
  return choose(texts, ends, index, 0, texts.size());
}

std::string rank_expression(trace::Encoding encoding, const std::string& written,
                            const std::string& task) {
  switch (encoding) {
    case trace::Encoding::absolute: return written;
    case trace::Encoding::relative:
      return written == "0" ? task : "((" + task + "+" + written + ") MOD num_tasks)";
    case trace::Encoding::exclusive_or:
      return written == "0" ? task : "(" + task + " XOR " + written + ")";
  }
  return written;
}

std::optional<std::int64_t> constant_of(const trace::Value& v) {
  if (!v.is_constant() || v.encoding != trace::Encoding::absolute) return std::nullopt;
  return v.by_stream.at(0);
}

}  // namespace reprise::generate
