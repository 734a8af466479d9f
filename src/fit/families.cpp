#include "fit/families.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "expr/simplify.hpp"
#include "fit/linear.hpp"

namespace reprise::fit {
namespace {

using expr::Expr;
using expr::Op;

constexpr std::int64_t kLargest = std::int64_t{1} << 40;
constexpr std::int64_t kMostCandidates = 4096;
constexpr std::size_t kMostDivisors = 24;
constexpr std::size_t kTermsOfThree = 24;

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

// The number of a range with the most trailing zeros, as people choose them, and its ends.
// REQUIRES: 0 < low.
std::vector<std::int64_t> representatives(const Range& range) {
  std::int64_t roundest = range.high;
  for (std::int64_t step = 1; step <= range.high; step *= 2) {
    const std::int64_t multiple = range.high / step * step;
    if (multiple >= range.low) roundest = multiple;
    if (step > kLargest) break;
  }
  std::vector<std::int64_t> out = {roundest};
  if (range.low != roundest) out.push_back(range.low);
  if (range.high != roundest) out.push_back(range.high);
  return out;
}

Expr scaled(std::int64_t by, const Expr& e) { return by == 1 ? e : Expr(by) * e; }

bool is_in_range(std::int64_t v) { return v >= 0 && v < kLargest; }

}  // namespace

Families::Families(const ExactSamples& samples)
    : samples_(samples), values_(samples.values), terms_(make_terms(samples)) {
  one_ = {Expr(1), std::vector<std::int64_t>(values_.size(), 1),
          std::vector<std::int64_t>(samples.targets.size(), 1)};
  std::int64_t common = 0;
  for (const std::int64_t v : values_) {
    if (v > -kLargest && v < kLargest) common = std::gcd(common, v);
  }
  for (std::int64_t d = 1; d * d <= common && d < 4096; ++d) {
    if (common % d != 0) continue;
    if (d > 1) divisors_.push_back(d);
    if (common / d != d) divisors_.push_back(common / d);
  }
  std::sort(divisors_.rbegin(), divisors_.rend());
  // Element sizes are among the small ones.
  if (divisors_.size() > kMostDivisors) {
    divisors_.erase(divisors_.begin(),
                    divisors_.end() - static_cast<std::ptrdiff_t>(kMostDivisors));
  }
}

std::vector<Candidate> Families::laws(unsigned constants) const {
  switch (constants) {
    case 0: return without_constants();
    case 1: return with_one();
    case 2: return with_two();
    case 3: return with_three();
    default: return with_four();
  }
}

Families::Laws Families::without_constants() const {
  Laws laws;
  for (const Term& t : terms_) {
    if (t.at_samples == values_) laws.emplace_back(t.expression);
  }
  return laws;
}

// scale * (c / t) and scale * ceil(c / t)
void Families::add_quotients(const Term& term, std::int64_t scale, Laws& laws) const {
  Range floor;
  Range ceiling;
  bool exact = true;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const std::int64_t t = term.at_samples[i];
    const std::int64_t v = values_[i] / scale;
    std::int64_t product = 0;
    if (t <= 0 || !is_in_range(v) || !is_in_range(t) || __builtin_mul_overflow(v, t, &product))
      return;
    floor.narrow(product, product + t - 1);
    ceiling.narrow(product - t + 1, product);
    exact &= product == values_[0] / scale * term.at_samples[0];
  }
  const Expr& t = term.expression;
  if (exact) {
    // An exact inverse proportion needs no rounding to explain it.
    if (scale == 1) laws.emplace_back(Expr(floor.low) / t);
    return;
  }
  if (!floor.empty() && floor.low > 0) {
    for (const std::int64_t c : representatives(floor))
      laws.emplace_back(scaled(scale, Expr(c) / t));
  }
  if (!ceiling.empty() && ceiling.low > 0) {
    for (const std::int64_t c : representatives(ceiling)) {
      laws.emplace_back(scaled(scale, (t + Expr(c - 1)) / t));
    }
  }
}

// t / c and ceil(t / c)
void Families::add_divided(const Term& term, Laws& laws) const {
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

// c * v / w: the number of bytes is what is divided.
void Families::add_scaled_quotients(Laws& laws) const {
  const std::size_t n = samples_.variables.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < n; ++k) {
      if (i == k) continue;
      Range range;
      bool fits = true;
      for (std::size_t s = 0; s < values_.size() && fits; ++s) {
        const std::int64_t v = samples_.points[s][i];
        const std::int64_t w = samples_.points[s][k];
        std::int64_t product = 0;
        fits = v > 0 && w > 0 && is_in_range(v) && is_in_range(w) && is_in_range(values_[s]) &&
               !__builtin_mul_overflow(values_[s], w, &product);
        if (fits) range.narrow((product + v - 1) / v, (product + w - 1) / v);
      }
      if (!fits || range.empty() || range.low <= 1) continue;
      for (const std::int64_t c : representatives(range)) {
        laws.emplace_back(Expr(c) * Expr::variable(samples_.variables[i]) /
                          Expr::variable(samples_.variables[k]));
      }
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
    for (const Blocks kind : kBlocks) {
      for (std::int64_t n = std::max<std::int64_t>(range.low, 0); n <= range.high; ++n) {
        bool same = true;
        for (std::size_t i = 0; i < values_.size() && same; ++i) {
          const auto& point = samples_.points[i];
          same = scale * block_size(kind, n, point[share.part], point[share.parts]) == values_[i];
        }
        if (same) laws.emplace_back(scaled(scale, block_size(kind, Expr(n), x, p)));
      }
    }
  }
}

// A combination of terms, and of the constant 1 if wanted, each with a factor that is not 0.
void Families::add_combination(std::vector<const Term*> terms, bool constant, Laws& laws) const {
  if (constant) terms.push_back(&one_);
  std::vector<const std::vector<std::int64_t>*> columns;
  std::vector<Expr> expressions;
  for (const Term* t : terms) {
    columns.push_back(&t->at_samples);
    expressions.push_back(t->expression);
  }
  const auto solution = solve(columns, values_);
  if (!solution) return;
  if (std::find(solution->numerators.begin(), solution->numerators.end(), 0) !=
      solution->numerators.end()) {
    return;
  }
  for (std::size_t i = 0; i < samples_.targets.size() && solution->denominator > 1; ++i) {
    std::int64_t remainder = 0;
    for (std::size_t k = 0; k < terms.size(); ++k) {
      remainder += solution->numerators[k] % solution->denominator *
                   (terms[k]->at_targets[i] % solution->denominator) % solution->denominator;
    }
    if (remainder % solution->denominator != 0) return;
  }
  laws.emplace_back(combine(*solution, expressions));
}

Families::Laws Families::with_one() const {
  Laws laws;
  for (const Term& t : terms_) {
    add_combination({&t}, false, laws);
    const std::int64_t plus = values_[0] - t.at_samples[0];
    const std::int64_t minus = values_[0] + t.at_samples[0];
    bool is_sum = true;
    bool is_difference = true;
    for (std::size_t i = 1; i < values_.size(); ++i) {
      is_sum &= values_[i] - t.at_samples[i] == plus;
      is_difference &= values_[i] + t.at_samples[i] == minus;
    }
    if (is_sum) laws.emplace_back(expr::simplify(t.expression + Expr(plus)));
    if (is_difference) laws.emplace_back(Expr(minus) - t.expression);
    add_quotients(t, 1, laws);
    add_divided(t, laws);
  }
  add_scaled_quotients(laws);
  add_blocks(1, laws);
  // The size of an element, which all values have in common, is hardly a constant that was found.
  const std::size_t plain = laws.size();
  for (const std::int64_t scale : divisors_) {
    for (const Term& t : terms_) add_quotients(t, scale, laws);
    add_blocks(scale, laws);
  }
  for (std::size_t i = plain; i < laws.size(); ++i) laws[i].cost -= 2;
  return laws;
}

// a * (t + b) * (u + b): what a local block and its halo take.
void Families::add_halos(Laws& laws) const {
  const std::size_t n = std::min<std::size_t>(terms_.size(), 48);
  for (const std::int64_t b : {0, 1, 2, 4, -1, -2}) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k <= i; ++k) {
        std::int64_t a = 0;
        bool fits = true;
        for (std::size_t s = 0; s < values_.size() && fits; ++s) {
          std::int64_t area = 0;
          fits = !__builtin_mul_overflow(terms_[i].at_samples[s] + b, terms_[k].at_samples[s] + b,
                                         &area) &&
                 area != 0 && values_[s] % area == 0 && (a == 0 || values_[s] / area == a);
          if (fits) a = values_[s] / area;
        }
        if (!fits || a == 0) continue;
        laws.emplace_back(expr::simplify(
            scaled(a, (terms_[k].expression + Expr(b)) * (terms_[i].expression + Expr(b)))));
      }
    }
  }
}

Families::Laws Families::with_two() const {
  Laws laws;
  for (const Term& t : terms_) add_combination({&t}, true, laws);
  // c / t + b
  for (const std::int64_t b : {1, 2, 4, 8, -1, -2}) {
    ExactSamples less = samples_;
    for (std::int64_t& v : less.values) v -= b;
    Families without = *this;
    without.values_ = less.values;
    Laws quotients;
    for (const Term& t : terms_) without.add_quotients(t, 1, quotients);
    for (const Candidate& q : quotients) laws.emplace_back(expr::simplify(q.law + Expr(b)));
  }
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) add_combination({&terms_[k], &terms_[i]}, false, laws);
  }
  add_halos(laws);
  return laws;
}

Families::Laws Families::with_three() const {
  Laws laws;
  const std::size_t n = std::min(terms_.size(), kTermsOfThree * 2);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) add_combination({&terms_[k], &terms_[i]}, true, laws);
  }
  return laws;
}

// c0 + c1 d0 + c2 d0 d1 + c3 d0 d1 d2, and the other products of three extents with what they are
// made of
Families::Laws Families::with_four() const {
  Laws laws;
  std::vector<const Term*> chain;
  Expr product = 1;
  for (std::size_t i = 0; i < expr::kMaxDimensions; ++i) {
    const Expr d = Expr::variable(expr::extent_name(i));
    product = i == 0 ? d : product * d;
    const auto found = std::find_if(terms_.begin(), terms_.end(),
                                    [&](const Term& t) { return t.expression == product; });
    if (found == terms_.end()) break;
    chain.push_back(&*found);
  }
  if (chain.size() == 3) add_combination(chain, true, laws);
  const std::size_t n = std::min<std::size_t>(terms_.size(), 16);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      for (std::size_t m = 0; m < k; ++m) {
        add_combination({&terms_[m], &terms_[k], &terms_[i]}, true, laws);
      }
    }
  }
  return laws;
}

}  // namespace reprise::fit
