// The families of quotients: what is divided among ranks, with the integers' rounding.
#include <algorithm>
#include <limits>

#include "expr/simplify.hpp"
#include "fit/families.hpp"

namespace reprise::fit {
namespace {

using expr::Expr;

constexpr std::int64_t kLargest = std::int64_t{1} << 40;
constexpr std::int64_t kMostCandidates = 4096;
constexpr std::int64_t kMostProduct = std::int64_t{1} << 62;  // something may be added to it
constexpr std::size_t kOfTerms = 3;  // constants that a rounded term counts for that is no variable

// Integers from low to high.
struct Range {
  std::int64_t low = std::numeric_limits<std::int64_t>::min();
  std::int64_t high = std::numeric_limits<std::int64_t>::max();

  void narrow(std::int64_t to_low, std::int64_t to_high) {
    low = std::max(low, to_low);
    high = std::min(high, to_high);
  }
  bool empty() const { return low > high; }
};

// The roundest numbers of a range, as people choose them, and its ends.
// REQUIRES: 0 < low.
std::vector<std::int64_t> representatives(const Range& range) {
  std::vector<std::int64_t> out;
  const auto add = [&](std::int64_t c) {
    if (std::find(out.begin(), out.end(), c) == out.end()) out.push_back(c);
  };
  for (const std::int64_t base : {2, 10}) {
    std::int64_t roundest = range.high;
    for (std::int64_t step = 1; step <= range.high; step *= base) {
      const std::int64_t multiple = range.high / step * step;
      if (multiple >= range.low) roundest = multiple;
      if (step > kLargest) break;
    }
    add(roundest);
  }
  add(range.low);
  add(range.high);
  return out;
}

Expr scaled(std::int64_t by, const Expr& e) { return by == 1 ? e : Expr(by) * e; }

bool is_in_range(std::int64_t v) { return v >= 0 && v < kLargest; }

}  // namespace

// scale * (c / t), scale * ceil(c / t) and, which is the same for another c, scale * (c / t + 1)
void Families::add_quotients(const Term& term, std::int64_t scale, std::size_t constants,
                             Laws& laws) const {
  if (has_function(&term) && !may_be_curved(constants)) return;
  Range floor;
  Range ceiling;
  bool exact = true;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const std::int64_t t = term.at_samples[i];
    const std::int64_t v = values_[i] / scale;
    std::int64_t product = 0;
    if (t <= 0 || !is_in_range(v) || !is_in_range(t) || __builtin_mul_overflow(v, t, &product) ||
        product > kMostProduct)
      return;
    floor.narrow(product, product + t - 1);
    ceiling.narrow(product - t + 1, product);
    exact &= product == values_[0] / scale * term.at_samples[0];
  }
  const Expr& t = term.expression;
  if (exact) {
    // An exact inverse proportion needs no rounding to explain it, and says nothing of one.
    if (scale != 1) return;
    laws.emplace_back(Expr(floor.low) / t);
    const std::uint32_t cost = laws.back().cost;
    laws.emplace_back((t + Expr(floor.low - 1)) / t);
    laws.back().cost = cost;
    return;
  }
  // Two roundings agree by chance.
  if (!is_certain(constants) || !tells_roundings()) return;
  if (!floor.empty() && floor.low > 0) {
    for (const std::int64_t c : representatives(floor))
      laws.emplace_back(scaled(scale, Expr(c) / t));
  }
  if (!ceiling.empty() && ceiling.low > 0) {
    for (const std::int64_t c : representatives(ceiling)) {
      laws.emplace_back(scaled(scale, (t + Expr(c - 1)) / t));
    }
    if (ceiling.low == 1) return;
    for (const std::int64_t c : representatives({ceiling.low - 1, ceiling.high - 1})) {
      laws.emplace_back(scaled(scale, Expr(c) / t + Expr(1)));
    }
  }
}

// t / c and ceil(t / c)
void Families::add_divided(const Term& term, Laws& laws) const {
  if (!tells_roundings()) return;
  if (!term.expression.is_variable() && !is_certain(kOfTerms)) return;
  Range floor;
  Range ceiling;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const std::int64_t t = term.at_samples[i];
    const std::int64_t v = values_[i];
    if (!is_in_range(t) || !is_in_range(v)) return;
    floor.narrow(t / (v + 1) + 1, v > 0 ? t / v : kLargest);
    ceiling.narrow(v > 0 ? (t + v - 1) / v : t + 1, v > 1 ? (t - 1) / (v - 1) : kLargest);
  }
  if (!floor.empty() && floor.low > 1 && floor.high < kLargest) {
    for (const std::int64_t c : representatives(floor))
      laws.emplace_back(term.expression / Expr(c));
  }
  if (!ceiling.empty() && ceiling.low > 1 && ceiling.high < kLargest) {
    for (const std::int64_t c : representatives(ceiling)) {
      laws.emplace_back((term.expression + Expr(c - 1)) / Expr(c));
    }
  }
}

// c * u / t and c * u / t + 1: what is divided is a number of bytes, or grows with an index. And
// u * (c / t): blocks of a size that is rounded before.
void Families::add_quotients_of(const Term& dividend, const Term& divisor, Laws& laws) const {
  if (has_function(&divisor) && !may_be_curved(1)) return;
  add_multiples_of_quotients(dividend, divisor, laws);
  for (const std::int64_t more : {0, 1}) {
    Range range;
    bool exact = true;
    std::optional<std::int64_t> first;
    for (std::size_t s = 0; s < values_.size() && !range.empty(); ++s) {
      const std::int64_t u = dividend.at_samples[s];
      const std::int64_t t = divisor.at_samples[s];
      const std::int64_t v = values_[s] - more;
      std::int64_t product = 0;
      if (u == 0 && v == 0) continue;
      if (u <= 0 || t <= 0 || !is_in_range(u) || !is_in_range(t) || !is_in_range(v) ||
          __builtin_mul_overflow(v, t, &product) || product > kMostProduct) {
        return;
      }
      range.narrow((product + u - 1) / u, (product + t - 1) / u);
      const std::int64_t whole = product / u;
      exact = exact && product % u == 0 && (!first || *first == whole);
      if (!first) first = whole;
    }
    if (range.empty() || range.low <= 1 || range.high > kLargest) continue;
    if (!exact && !tells_roundings()) continue;
    for (const std::int64_t c : representatives(range)) {
      const Expr quotient = Expr(c) * dividend.expression / divisor.expression;
      laws.emplace_back(more == 0 ? quotient : quotient + Expr(1));
    }
  }
}

// u * (c / t), rounded down or up
void Families::add_multiples_of_quotients(const Term& factor, const Term& divisor,
                                          Laws& laws) const {
  Range floor, ceiling;
  for (std::size_t s = 0; s < values_.size(); ++s) {
    const std::int64_t u = factor.at_samples[s];
    const std::int64_t t = divisor.at_samples[s];
    const std::int64_t v = values_[s];
    std::int64_t product = 0;
    if (u == 0 && v == 0) continue;
    if (u <= 0 || t <= 0 || v % u != 0 || !is_in_range(u) || !is_in_range(t) || !is_in_range(v) ||
        __builtin_mul_overflow(v / u, t, &product) || product > kMostProduct) {
      return;
    }
    floor.narrow(product, product + t - 1);
    ceiling.narrow(product - t + 1, product);
  }
  if (floor.low > 1 && floor.high < kLargest && !floor.empty()) {
    for (const std::int64_t c : representatives(floor)) {
      laws.emplace_back(factor.expression * (Expr(c) / divisor.expression));
    }
  }
  if (ceiling.low > 1 && ceiling.high < kLargest && !ceiling.empty()) {
    for (const std::int64_t c : representatives(ceiling)) {
      laws.emplace_back(factor.expression *
                        ((divisor.expression + Expr(c - 1)) / divisor.expression));
    }
  }
}

// (a + b * i) / t and one more: a whole that grows with the index of a loop.
void Families::add_linear_quotients(const Term& divisor, std::size_t index, std::int64_t more,
                                    Laws& laws) const {
  constexpr std::int64_t kMostSlopes = 64;
  // The dividend of each sample is one of a range.
  std::vector<Range> dividends;
  for (std::size_t s = 0; s < values_.size(); ++s) {
    const std::int64_t t = divisor.at_samples[s];
    const std::int64_t v = values_[s] - more;
    std::int64_t product = 0;
    if (t <= 0 || !is_in_range(v) || __builtin_mul_overflow(v, t, &product) ||
        product > kMostProduct)
      return;
    dividends.push_back({product, product + t - 1});
  }
  const auto at = [&](std::size_t s) { return samples_.points[s][index]; };
  Range slopes;
  for (std::size_t s = 1; s < values_.size(); ++s) {
    const std::int64_t i = at(s) - at(0);
    if (i <= 0) continue;
    const std::int64_t least = dividends[s].low - dividends[0].high;
    const std::int64_t most = dividends[s].high - dividends[0].low;
    slopes.narrow(least / i - (least % i < 0 ? 1 : 0), most / i + (most % i > 0 ? 1 : 0));
  }
  if (slopes.empty() || slopes.low < -kLargest || slopes.high > kLargest ||
      slopes.high - slopes.low > kMostSlopes) {
    return;
  }
  for (std::int64_t b = slopes.low; b <= slopes.high; ++b) {
    Range start;
    for (std::size_t s = 0; s < values_.size() && !start.empty(); ++s) {
      start.narrow(dividends[s].low - b * at(s), dividends[s].high - b * at(s));
    }
    if (b == 0 || start.empty() || start.low <= 0) continue;
    for (const std::int64_t a : representatives(start)) {
      const Expr whole = Expr(a) + Expr(b) * Expr::variable(samples_.variables[index]);
      laws.emplace_back(expr::simplify(whole / divisor.expression + Expr(more)));
    }
  }
}

void Families::add_linear_quotients(Laws& laws) const {
  if (!is_certain(2)) return;
  for (std::size_t i = 0; i < samples_.variables.size(); ++i) {
    if (samples_.variables[i][0] != 'i' || !varies_within_run(samples_.variables[i])) continue;
    for (const Term& t : terms_) {
      if (t.expression.nodes() > 3) continue;
      for (const std::int64_t more : {0, 1}) add_linear_quotients(t, i, more, laws);
    }
  }
}

void Families::add_scaled_quotients(Laws& laws) const {
  const auto is_dividend = [](const Expr& e) {
    return e.is_variable() || (e.op() == expr::Op::shift_left && e.operands()[0].is_constant(1) &&
                               e.operands()[1].is_variable());
  };
  if (!is_certain(1)) return;
  for (const Term& u : terms_) {
    if (!is_dividend(u.expression)) continue;
    for (const Term& t : terms_) {
      if (&t != &u) add_quotients_of(u, t, laws);
    }
  }
}

// scale * the size of the x-th of p blocks of c
void Families::add_blocks(std::int64_t scale, Laws& laws) const {
  for (const Share& share : find_shares(samples_.variables)) {
    Range range;
    bool fits = true;
    for (std::size_t i = 0; i < values_.size() && fits; ++i) {
      const std::int64_t x = samples_.points[i][share.part];
      const std::int64_t p = samples_.points[i][share.parts];
      const std::int64_t v = values_[i] / scale;
      fits = is_in_range(v) && 0 <= x && x < p && p < (1 << 20) && v < (1 << 30);
      // Whichever way of dividing, nobody gets more than the mean rounded up.
      if (fits) range.narrow((v - 1) * p + 1, x == 0 ? v * p + p - 1 : kLargest);
      if (fits && v > 0 && x > 0) range.narrow(0, (v + 1) * p * (x + 1));
    }
    if (!fits || range.empty() || range.high - range.low > kMostCandidates) continue;
    const Expr x = Expr::variable(samples_.variables[share.part]);
    const Expr p = Expr::variable(samples_.variables[share.parts]);
    // However a whole is cut, it is as likely.
    const auto cost = [&](std::int64_t n) {
      return Candidate(scaled(scale, block_size(kBlocks[0], Expr(n), x, p))).cost;
    };
    for (const Blocks kind : kBlocks) {
      for (std::int64_t n = std::max<std::int64_t>(range.low, 0); n <= range.high; ++n) {
        bool same = true;
        for (std::size_t i = 0; i < values_.size() && same; ++i) {
          const auto& point = samples_.points[i];
          same = scale * block_size(kind, n, {point[share.part], point[share.parts]}) == values_[i];
        }
        if (!same) continue;
        laws.emplace_back(scaled(scale, block_size(kind, Expr(n), x, p)));
        laws.back().cost = cost(n);
      }
    }
  }
}

}  // namespace reprise::fit
