#include "trace/series/series_search.hpp"

#include <algorithm>
#include <limits>

namespace reprise::trace {
namespace {

__extension__ using Wide = __int128;
__extension__ using Unsigned = unsigned __int128;

// Walked again in later passes of repeats, nested ones included: a few hundredths of a second.
constexpr std::uint64_t kMostTerms = 1 << 20;
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

struct Run {
  std::int64_t first, step;
  std::uint64_t count;

  bool comes_within(Limits limits) const {
    const auto low = static_cast<std::uint64_t>(wrapping_sub(limits.low, first));
    const auto high = static_cast<std::uint64_t>(wrapping_sub(limits.high, first));
    if (low > high) return count > 0;  // the first value is between them
    return first_multiple(static_cast<std::uint64_t>(step), kModulus, low, high) < count;
  }
};

// How many terms there are, with those of bodies, and where their values lie, as far as no sum
// overflows.
struct Extent {
  std::uint64_t terms = 0;
  Wide least = std::numeric_limits<std::int64_t>::max();
  Wide greatest = std::numeric_limits<std::int64_t>::min();

  bool may_come_within(Limits limits) const {
    const bool may_overflow = least < std::numeric_limits<std::int64_t>::min() ||
                              greatest > std::numeric_limits<std::int64_t>::max();
    return may_overflow || (least <= limits.high && greatest >= limits.low);
  }
};

Extent extent_of(const std::vector<Term>& terms) {
  Extent out;
  for (const Term& t : terms) {
    const Extent once = t.is_run() ? Extent{0, t.value, t.value} : extent_of(t.body);
    const Wide way = static_cast<Wide>(t.step) * static_cast<Wide>(t.count - 1);
    out.terms += once.terms + 1;
    out.least = std::min(out.least, once.least + std::min<Wide>(way, 0));
    out.greatest = std::max(out.greatest, once.greatest + std::max<Wide>(way, 0));
  }
  return out;
}

class Search {
 public:
  explicit Search(Limits limits) : limits_(limits) {}

  // Whether one of the first n values of terms, each moved by `shift`, is within the limits.
  bool comes_within(const std::vector<Term>& terms, std::int64_t shift, std::uint64_t n) {
    for (const Term& t : terms) {
      if (n == 0) break;
      const std::uint64_t taken = t.count == kUnbounded ? n : std::min(n, t.count * t.period);
      n -= taken;
      const bool found =
          t.is_run() ? Run{wrapping_add(t.value, shift), t.step, taken}.comes_within(limits_)
                     : repeat_comes_within(t, shift, taken);
      if (found) return true;
    }
    return false;
  }

 private:
  bool repeat_comes_within(const Term& repeat, std::int64_t shift, std::uint64_t n) {
    std::uint64_t passes = (n - 1) / repeat.period + 1;
    Extent extent = extent_of(repeat.body);
    const Wide way = static_cast<Wide>(repeat.step) * static_cast<Wide>(passes - 1);
    extent.least += shift + std::min<Wide>(way, 0);
    extent.greatest += shift + std::max<Wide>(way, 0);
    if (!extent.may_come_within(limits_)) return false;
    if (repeat.step == 0) passes = 1;
    if (passes - 1 > terms_left_ / extent.terms) return true;
    terms_left_ -= (passes - 1) * extent.terms;
    for (std::uint64_t k = 0; k < passes; ++k) {
      const std::int64_t moved = wrapping_add(shift, wrapping_mul(repeat.step, k));
      if (comes_within(repeat.body, moved, std::min(repeat.period, n - k * repeat.period)))
        return true;
    }
    return false;
  }

  Limits limits_;
  std::uint64_t terms_left_ = kMostTerms;  // of the whole search: repeats within repeats multiply
};

}  // namespace

bool has_value_within(const Series& series, std::uint64_t n, std::int64_t low, std::int64_t high) {
  return Search({low, high}).comes_within(series.terms(), 0, std::min(n, kMostValues));
}

}  // namespace reprise::trace
