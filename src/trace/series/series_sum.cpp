#include "trace/series/series_sum.hpp"

#include <algorithm>

#include "trace/values/special.hpp"

namespace reprise::trace {
namespace {

// 0 + 1 + ... + (n - 1), modulo 2^64.
std::uint64_t triangle(std::uint64_t n) { return n % 2 == 0 ? n / 2 * (n - 1) : (n - 1) / 2 * n; }

std::uint64_t sum_terms(const std::vector<Term>& terms, std::uint64_t n) {
  std::uint64_t total = 0;
  for (const Term& t : terms) {
    if (n == 0) break;
    const std::uint64_t taken = t.count == kUnbounded ? n : std::min(n, t.count * t.period);
    n -= taken;
    const auto step = static_cast<std::uint64_t>(t.step);
    if (t.is_run()) {
      total += static_cast<std::uint64_t>(t.value) * taken + step * triangle(taken);
      continue;
    }
    const std::uint64_t passes = taken / t.period, rest = taken % t.period;
    if (passes > 0) {
      total += sum_terms(t.body, t.period) * passes + step * t.period * triangle(passes);
    }
    if (rest > 0) total += sum_terms(t.body, rest) + step * passes * rest;
  }
  return total;
}

// Nothing walks on for longer than this.
constexpr double kMaxCount = 0x1p40;
// Special values are the least that there are.
constexpr double kFar = 0x1p62;

// The least and the greatest value, about; special ones as they are.
struct Range {
  double least = 0, greatest = 0;
};

Range range_of(const std::vector<Term>& terms) {
  Range out{kFar, -kFar};
  for (const Term& t : terms) {
    const auto value = static_cast<double>(t.value);
    const Range once = t.is_run() ? Range{value, value} : range_of(t.body);
    const double passes = t.count == kUnbounded ? kMaxCount : static_cast<double>(t.count - 1);
    const double way = passes * static_cast<double>(t.step);
    out.least = std::min(out.least, once.least + std::min(way, 0.0));
    out.greatest = std::max(out.greatest, once.greatest + std::max(way, 0.0));
  }
  return out;
}

}  // namespace

std::int64_t sum_of(const Series& series, std::uint64_t n) {
  return static_cast<std::int64_t>(sum_terms(series.terms(), n));
}

std::int64_t sum_of(const Value& value, std::uint64_t stream, std::uint64_t n) {
  if (const Series* series = value.series_of(stream)) return sum_of(*series, n);
  return wrapping_mul(value.constant_of(stream), n);
}

bool may_have_special(const Series& series) {
  const Range range = range_of(series.terms());
  return range.least <= -kFar || range.greatest >= kFar;
}

}  // namespace reprise::trace
