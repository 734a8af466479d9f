#include "report/engine/regular_part.hpp"

#include <algorithm>
#include <vector>

namespace reprise::report {
namespace {

using trace::Term;

std::uint64_t part_of(const std::vector<Term>& terms, std::uint64_t from, std::uint64_t period) {
  for (const Term& t : terms) {
    const bool is_endless = t.count == trace::kUnbounded;
    const std::uint64_t length = is_endless ? kForEver : t.count * t.period;
    if (!is_endless && from >= length) {
      from -= length;
      continue;
    }
    if (t.step == 0 && period % t.period == 0) return is_endless ? kForEver : length - from;
    if (t.is_run()) return 1;
    const std::uint64_t within = from % t.period;
    const std::uint64_t left = t.period - within;
    return std::min(left, part_of(t.body, within, period));
  }
  return kForEver;
}

}  // namespace

std::uint64_t regular_part(const trace::Series& series, std::uint64_t from, std::uint64_t period) {
  return part_of(series.terms(), from, period);
}

std::uint64_t regular_part(const trace::Value& value, std::uint64_t stream, std::uint64_t from,
                           std::uint64_t period) {
  const trace::Series* series = value.series_of(stream);
  return series ? regular_part(*series, from, period) : kForEver;
}

std::uint64_t repeat_period(const trace::Series& series, std::uint64_t from) {
  for (const Term& t : series.terms()) {
    const bool is_last = t.count == trace::kUnbounded || from < t.count * t.period;
    if (is_last) return t.step == 0 ? t.period : 1;
    from -= t.count * t.period;
  }
  return 1;
}

}  // namespace reprise::report
