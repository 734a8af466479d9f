#include "analyze/list_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analyze/series_text.hpp"
#include "base/hash.hpp"
#include "trace/series_sum.hpp"

namespace reprise::analyze {

using trace::Kind;
using trace::Series;
using trace::Trace;
using trace::Value;

namespace {

constexpr std::uint64_t kMaxChecked = 1 << 16;  // elements looked at to see whether lists repeat

std::string quoted(const std::vector<std::int64_t>& characters) {
  std::string out = "\"";
  for (const std::int64_t c : characters) {
    if (c == '"' || c == '\\') out += '\\';
    out += c >= 32 && c < 127 ? std::string(1, static_cast<char>(c))
                              : fmt::format("\\x{:02x}", c & 0xff);
  }
  return out + "\"";
}

std::vector<std::int64_t> first(const Series& s, std::uint64_t n) {
  std::vector<std::int64_t> out;
  trace::SeriesCursor c(s);
  while (out.size() < n) out.push_back(c.next());
  return out;
}

// Whether each list is the first one again.
bool repeats(const Series& s, std::uint64_t length, std::uint64_t total) {
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

class ListText {
 public:
  ListText(const Value& length, const Value& elements, const ValueMeaning& m,
           const Times& executions)
      : length_(length), elements_(elements), meaning_(m), executions_(executions) {}

  CaseText of(std::uint64_t stream) const {
    std::uint64_t times = executions_.of(stream);
    auto total = static_cast<std::uint64_t>(trace::sum_of(length_, stream, times));
    const std::int64_t size = meaning_.world != 0 || !meaning_.peers
                                  ? meaning_.world
                                  : meaning_.peers(stream).membership.size;
    const auto number = [&](std::int64_t v) {
      return written_text(meaning_, elements_.encoding, v, size);
    };
    const Series* given = elements_.series_of(stream);
    Series own = given ? *given : Series::constant(elements_.constant_of(stream));
    if (elements_.classes.size() > 1) own = refolded(own, total);
    const Series* lengths = length_.series_of(stream);
    times = executions_.loops.executions_shown(stream, times, [&](std::uint64_t executions) {
      const auto elements = static_cast<std::uint64_t>(trace::sum_of(length_, stream, executions));
      return (!lengths || recurs(*lengths, executions, times)) && recurs(own, elements, total);
    });
    total = static_cast<std::uint64_t>(trace::sum_of(length_, stream, times));
    if (lengths && !same_lengths(*lengths, times)) {
      const auto plain = [](std::int64_t v) { return std::to_string(v); };
      CaseText text = case_text(fmt::format("[{{{}}}: {}]", series_text(*lengths, times, plain),
                                            series_text(own, total, number)),
                                own, total);
      if (text.values) text.values = combine(text.values, case_text("...", *lengths, times).values);
      return text;
    }
    const std::int64_t n = lengths ? lengths->at(0) : length_.constant_of(stream);
    if (n <= 0) return {"[]"};
    const auto length = static_cast<std::uint64_t>(n);
    const bool again = repeats(own, length, total);
    if (again && meaning_.column.kind == Kind::character && length <= kMaxChecked)
      return {quoted(first(own, length))};
    const std::string before = again && length <= 8 ? "" : fmt::format("{}: ", length);
    const std::uint64_t shown = again ? length : total;
    return case_text(fmt::format("[{}{}]", before, series_text(own, shown, number)), own, shown);
  }

 private:
  static bool same_lengths(const Series& lengths, std::uint64_t times) {
    if (lengths.is_constant()) return true;
    const std::vector<trace::Term> terms = first_terms(lengths, times);
    return terms.size() == 1 && terms[0].is_run() && terms[0].step == 0;
  }

  const Value& length_;
  const Value& elements_;
  const ValueMeaning& meaning_;
  const Times& executions_;
};

}  // namespace

std::string list_text(const Trace& trace, const Value& length, const Value& elements,
                      const ValueMeaning& meaning, const Times& executions) {
  const ListText list(length, elements, meaning, executions);
  const bool one_length = length.classes.size() == 1 || length.is_constant();
  const bool one_content = elements.classes.size() == 1 || elements.is_constant();
  const bool relative = elements.encoding == trace::Encoding::relative && meaning.world == 0;
  if (one_length && one_content && !relative) return list.of(executions.busiest).text;
  trace::SeriesCursor lengths(length.by_stream), contents(elements.by_stream);
  const auto key = [&](std::uint64_t s) {
    const auto size =
        relative && meaning.peers && executions.of(s) ? meaning.peers(s).membership.size : 0;
    return CaseKey{one_length ? 0 : static_cast<std::uint64_t>(lengths.next()),
                   one_content ? 0 : static_cast<std::uint64_t>(contents.next()),
                   static_cast<std::uint64_t>(size)};
  };
  const auto text = [&](std::uint64_t s) { return list.of(s); };
  return cases_text(trace, cases_of(trace, executions, key, text));
}

}  // namespace reprise::analyze
