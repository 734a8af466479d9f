#include "generate/task_text.hpp"

#include <algorithm>

namespace reprise::generate {

using trace::Series;
using trace::Term;

namespace {

bool is_number(const std::string& text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c); });
}

// "x-3"; a minus before a parenthesis is safe, before a function it is not.
std::string minus(const std::string& text, std::uint64_t by) {
  if (by == 0) return text;
  if (is_number(text)) return std::to_string(std::stoull(text) - by);
  return "(" + text + "-" + std::to_string(by) + ")";
}

std::string plus(const std::string& value, std::int64_t factor, const std::string& text) {
  if (factor == 0) return value;
  const std::uint64_t size = factor < 0 ? 0 - static_cast<std::uint64_t>(factor)
                                        : static_cast<std::uint64_t>(factor);
  const std::string product = size == 1 ? text : text + "*" + std::to_string(size);
  if (factor > 0 && value == "0") return size == 1 ? text : "(" + product + ")";
  return "(" + value + (factor < 0 ? "-" : "+") + product + ")";
}

std::string number(std::int64_t v) { return v < 0 ? "(0-" + std::to_string(0 - static_cast<std::uint64_t>(v)) + ")" : std::to_string(v); }

std::string list(const std::vector<Term>& terms, const std::string& index, std::uint64_t length);

// `index` counts from the begin of the term.
std::string term_expression(const Term& t, const std::string& index, std::uint64_t length) {
  if (t.is_run()) return t.count == 1 ? number(t.value) : plus(number(t.value), t.step, index);
  const bool once = length != 0 && length <= t.period;
  const std::string period = std::to_string(t.period);
  std::string body = list(t.body, once ? index : "(" + index + " MOD " + period + ")",
                          once ? length : t.period);
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

}  // namespace

std::string series_expression(const Series& series, const std::string& index,
                              std::uint64_t length) {
  if (series.empty()) return "0";
  if (is_number(index)) {
    const std::uint64_t k = std::stoull(index);
    return number(series.at(k));
  }
  return list(series.terms(), index, length);
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
