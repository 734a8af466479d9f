#include "trace/series_sum.hpp"

#include <algorithm>

#include "trace/special.hpp"

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

bool any_special(const std::vector<Term>& terms) {
  return std::ranges::any_of(
      terms, [](const Term& t) { return t.is_run() ? is_special(t.value) : any_special(t.body); });
}

}  // namespace

std::int64_t sum_of(const Series& series, std::uint64_t n) {
  return static_cast<std::int64_t>(sum_terms(series.terms(), n));
}

std::int64_t sum_of(const Value& value, std::uint64_t stream, std::uint64_t n) {
  if (const Series* series = value.series_of(stream)) return sum_of(*series, n);
  return wrapping_mul(value.constant_of(stream), n);
}

bool has_special(const Series& series) { return any_special(series.terms()); }

}  // namespace reprise::trace
