#include "trace/series_search.hpp"

#include <algorithm>
#include <limits>

namespace reprise::trace {
namespace {

__extension__ using Wide = __int128;
__extension__ using Unsigned = unsigned __int128;

constexpr std::uint64_t kMostPasses = 1 << 16;
// As many values as a decoded series has at most; sums of steps fit into Wide.
constexpr std::uint64_t kMostValues = std::uint64_t{1} << 62;
constexpr Unsigned kModulus = Unsigned{1} << 64;

struct Limits {
  std::int64_t low, high;
};

// The least k for which k * step, modulo `modulus`, is from low to high; `modulus` if there is
// none. Euclid's algorithm: if no multiple of the step is there, the multiple of the modulus is
// sought by which one comes there. REQUIRES: low <= high < modulus <= 2^64, step < modulus.
Unsigned first_multiple(Unsigned step, Unsigned modulus, Unsigned low, Unsigned high) {
  if (low == 0) return 0;
  if (step == 0) return modulus;
  const Unsigned k = (low + step - 1) / step;
  if (k * step <= high) return k;
  const Unsigned times =
      first_multiple(modulus % step, step, (step - high % step) % step, (step - low % step) % step);
  return times == step ? modulus : (low + modulus * times + step - 1) / step;
}

// Whether one of `count` values from `value` on, `step` apart, is within the limits.
bool run_comes_within(std::int64_t value, std::int64_t step, std::uint64_t count, Limits limits) {
  const auto low = static_cast<std::uint64_t>(wrapping_sub(limits.low, value));
  const auto high = static_cast<std::uint64_t>(wrapping_sub(limits.high, value));
  if (low > high) return count > 0;  // the value is between them
  return first_multiple(static_cast<std::uint64_t>(step), kModulus, low, high) < count;
}

// Where the values of terms lie, as far as no sum overflows.
struct Range {
  Wide least = std::numeric_limits<std::int64_t>::max();
  Wide greatest = std::numeric_limits<std::int64_t>::min();

  bool may_overflow() const {
    return least < std::numeric_limits<std::int64_t>::min() ||
           greatest > std::numeric_limits<std::int64_t>::max();
  }
};

Range range_of(const std::vector<Term>& terms) {
  Range out;
  for (const Term& t : terms) {
    const Range once = t.is_run() ? Range{t.value, t.value} : range_of(t.body);
    const Wide way = static_cast<Wide>(t.step) * static_cast<Wide>(t.count - 1);
    out.least = std::min(out.least, once.least + std::min<Wide>(way, 0));
    out.greatest = std::max(out.greatest, once.greatest + std::max<Wide>(way, 0));
  }
  return out;
}

bool may_come_within(const Term& repeat, std::uint64_t passes, std::int64_t shift, Limits limits) {
  Range range = range_of(repeat.body);
  const Wide way = static_cast<Wide>(repeat.step) * static_cast<Wide>(passes - 1);
  range.least += shift + std::min<Wide>(way, 0);
  range.greatest += shift + std::max<Wide>(way, 0);
  return range.may_overflow() || (range.least <= limits.high && range.greatest >= limits.low);
}

bool come_within(const std::vector<Term>& terms, std::int64_t shift, std::uint64_t n,
                 Limits limits) {
  for (const Term& t : terms) {
    if (n == 0) break;
    const std::uint64_t taken = t.count == kUnbounded ? n : std::min(n, t.count * t.period);
    n -= taken;
    if (t.is_run()) {
      if (run_comes_within(wrapping_add(t.value, shift), t.step, taken, limits)) return true;
      continue;
    }
    std::uint64_t passes = (taken - 1) / t.period + 1;
    if (!may_come_within(t, passes, shift, limits)) continue;
    if (t.step == 0) passes = 1;
    if (passes > kMostPasses) return true;
    for (std::uint64_t k = 0; k < passes; ++k) {
      const std::int64_t moved = wrapping_add(shift, wrapping_mul(t.step, k));
      if (come_within(t.body, moved, std::min(t.period, taken - k * t.period), limits)) return true;
    }
  }
  return false;
}

}  // namespace

bool has_value_within(const Series& series, std::uint64_t n, std::int64_t low, std::int64_t high) {
  return come_within(series.terms(), 0, std::min(n, kMostValues), {low, high});
}

}  // namespace reprise::trace
