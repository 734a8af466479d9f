#include "trace/series/series_range.hpp"

#include <algorithm>
#include <limits>

namespace reprise::trace {
namespace {

// A decoded series has at most 2^62 values: a sum of steps over them fits.
__extension__ using Wide = __int128;

struct WideRange {
  Wide least = std::numeric_limits<Wide>::max(), greatest = std::numeric_limits<Wide>::min();

  bool empty() const { return least > greatest; }
  void add(const WideRange& other, Wide shift) {
    if (other.empty()) return;
    least = std::min(least, other.least + shift);
    greatest = std::max(greatest, other.greatest + shift);
  }
};

// Takes the first n values, fewer if there are fewer, from n.
WideRange range_of_terms(const std::vector<Term>& terms, std::uint64_t& n) {
  WideRange out;
  for (const Term& t : terms) {
    if (n == 0) break;
    const std::uint64_t taken = t.count == kUnbounded ? n : std::min(n, t.count * t.period);
    n -= taken;
    const std::uint64_t passes = taken / t.period;
    std::uint64_t rest = taken % t.period, once = t.period;
    const WideRange all = t.is_run() ? WideRange{t.value, t.value} : range_of_terms(t.body, once);
    if (passes > 0) {
      // All values of a pass move alike: the extremes lie in the first pass or in the last.
      out.add(all, 0);
      out.add(all, static_cast<Wide>(t.step) * static_cast<Wide>(passes - 1));
    }
    if (rest > 0)
      out.add(range_of_terms(t.body, rest), static_cast<Wide>(t.step) * static_cast<Wide>(passes));
  }
  return out;
}

}  // namespace

std::optional<ValueRange> range_of(const Series& series, std::uint64_t n) {
  constexpr std::uint64_t kMostValues = std::uint64_t{1} << 62;
  if (n > kMostValues) return std::nullopt;
  std::uint64_t left = n;
  const WideRange range = range_of_terms(series.terms(), left);
  if (range.empty() || left > 0 || range.least < std::numeric_limits<std::int64_t>::min() ||
      range.greatest > std::numeric_limits<std::int64_t>::max())
    return std::nullopt;
  return ValueRange{static_cast<std::int64_t>(range.least),
                    static_cast<std::int64_t>(range.greatest)};
}

std::optional<ValueRange> range_of(const Value& value, std::uint64_t stream, std::uint64_t n) {
  if (const Series* series = value.series_of(stream)) return range_of(*series, n);
  if (n == 0) return std::nullopt;
  return ValueRange{value.constant_of(stream), value.constant_of(stream)};
}

}  // namespace reprise::trace
