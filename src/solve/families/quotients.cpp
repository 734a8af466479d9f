// a * (n / d + c)^p + b and (n / d + c) * rest between runs, where n is not known, rounded down or
// up; n * t / d, (a * t + n) / d and n / t within runs.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <queue>

#include "solve/description.hpp"
#include "solve/exact.hpp"
#include "solve/family.hpp"

namespace reprise::solve {
namespace {

using expr::Expr;

constexpr std::uint32_t kLongestDivisor = 12;  // [bits]: an extent, or a product of two
constexpr std::uint32_t kLongestMultiple =
    14;  // [bits]: what doubles with each iteration, and the like
constexpr std::uint32_t kQuotient = 6, kUp = 4;  // [bits]
constexpr std::int64_t kLargestHalo = 4, kLargestAdded = 2, kLargestSlope = 32;
constexpr std::int64_t kLargestQuotient = std::int64_t{1} << 40;  // values, numbers of things
constexpr std::int64_t kLargestFactor = 1 << 16;
constexpr std::int64_t kLargestDivided = 2048;  // things, where a quotient is a factor
constexpr std::size_t kMostProposed = 32;       // with one divisor
constexpr std::size_t kMostFound = 16;  // numbers of things for one factor, the shortest of many

// All numbers from 1 on that divide a positive number, up to a bound.
std::vector<std::int64_t> divisors(std::int64_t number) {
  std::vector<std::int64_t> out;
  for (std::int64_t d = 1; d <= std::min(number, kLargestFactor); ++d) {
    if (number % d == 0) out.push_back(d);
  }
  return out;
}

// The p-th root, if it is whole.
std::optional<std::int64_t> whole_root(std::int64_t number, unsigned power) {
  const auto near = std::llround(power == 2 ? std::sqrt(static_cast<double>(number))
                                            : std::cbrt(static_cast<double>(number)));
  std::int64_t raised = 1;
  for (unsigned p = 0; p < power; ++p) raised *= near;
  return raised == number ? std::optional<std::int64_t>(near) : std::nullopt;
}

struct Range {
  std::int64_t first = 0, last = kLargestQuotient;
};

class QuotientsFinder {
 public:
  QuotientsFinder(const View& view, const Term& divisor, Reductions& out)
      : view_(view),
        goal_(view.goal()),
        numbers_(view.numbers()),
        divisor_(divisor),
        d_(view.on_rows(divisor.values)),
        out_(out) {}

  void run() {
    const Column& v = goal_.values;
    if (!view_.take(kLargestFactor / 8)) return;
    if (std::ranges::any_of(d_, [](std::int64_t d) { return d <= 0 || d > kLargestQuotient; }))
      return;
    if (std::ranges::any_of(v, [](std::int64_t x) { return std::abs(x) > kLargestQuotient; }))
      return;
    std::int64_t differences = 0, factors = 0;
    for (std::size_t i = 0; i < v.size(); ++i) {
      differences = std::gcd(differences, v[i] - v[0]);
      factors = std::gcd(factors, v[i]);
    }
    for (const bool up : {false, true}) {
      for (const std::int64_t a : divisors(differences)) {
        try_slope(a, up);
        try_slope(-a, up);
      }
      if (std::ranges::any_of(v, [](std::int64_t x) { return x <= 0; })) continue;
      for (const std::int64_t a : divisors(factors)) {
        for (const unsigned power : {2U, 3U}) try_power(a, power, up);
      }
      for (std::int64_t halo = 0; halo <= kLargestAdded; ++halo) try_factor(up, halo);
    }
  }

 private:
  std::int64_t quotient(std::int64_t n, std::size_t i, bool up) const {
    return (n + (up ? d_[i] - 1 : 0)) / d_[i];
  }

  // From the two runs in which divisors differ most, n is known but for what is rounded.
  void try_slope(std::int64_t slope, bool up) {
    const Column& v = goal_.values;
    const auto least = static_cast<std::size_t>(std::ranges::min_element(d_) - d_.begin());
    const auto most = static_cast<std::size_t>(std::ranges::max_element(d_) - d_.begin());
    const std::int64_t fewer = (v[least] - v[most]) / slope;
    if (d_[least] == d_[most] || fewer <= 0) return;
    const double per_thing = 1 / static_cast<double>(d_[least]) - 1 / static_cast<double>(d_[most]);
    if (static_cast<double>(fewer + 1) / per_thing > static_cast<double>(kLargestQuotient)) return;
    const auto first = static_cast<std::int64_t>(static_cast<double>(fewer - 1) / per_thing);
    const auto last = static_cast<std::int64_t>(static_cast<double>(fewer + 1) / per_thing) + 1;
    take_shortest(
        std::max<std::int64_t>(first, 1), last,
        [&](std::int64_t n) {
          const std::int64_t constant = v[0] - slope * quotient(n, 0, up);
          for (std::size_t i = 1; i < v.size(); ++i) {
            if (v[i] - slope * quotient(n, i, up) != constant) return false;
          }
          return true;
        },
        [&](std::int64_t n) {
          Column rest(v.size(), v[0] - slope * quotient(n, 0, up));
          const std::uint32_t bits = cost(n, up) + (slope == 1 ? 0 : 4 + bits_of(slope));
          if (is_long(bits)) return;
          out_.push_back({scaled(slope, expression(n, up)) + hole(0),
                          bits,
                          (slope == 1 ? 0U : 1U) + unknown(n),
                          {{goal_.rows, std::move(rest)}}});
        });
  }

  void try_power(std::int64_t factor, unsigned power, bool up) {
    const Column& v = goal_.values;
    Column roots;
    for (const std::int64_t x : v) {
      const auto root = whole_root(x / factor, power);
      if (!root) return;
      roots.push_back(*root);
    }
    for (std::int64_t halo = -kLargestHalo; halo <= kLargestHalo; ++halo) {
      Range n;
      for (std::size_t i = 0; i < roots.size(); ++i) {
        const std::int64_t q = roots[i] - halo, up_to = q * d_[i] + (up ? 0 : d_[i] - 1);
        n.first = std::max(n.first, up ? (q - 1) * d_[i] + 1 : q * d_[i]);
        n.last = std::min(n.last, up_to);
      }
      if (n.first < 1) continue;
      take_shortest(
          n.first, n.last, [](std::int64_t) { return true; },
          [&](std::int64_t things) {
            const std::uint32_t bits = cost(things, up) + 6 + (halo == 0 ? 0 : 4 + bits_of(halo));
            if (is_long(bits)) return;
            const Expr once = with_constant(expression(things, up), halo);
            Expr form = once;
            for (unsigned p = 1; p < power; ++p) form = form * once;
            out_.push_back({hole(0) * form,
                            bits,
                            (halo == 0 ? 0U : 1U) + unknown(things),
                            {{goal_.rows, Column(v.size(), factor)}}});
          });
    }
  }

  // A quotient that divides all values, so that less is left to tell.
  void try_factor(bool up, std::int64_t halo) {
    const Column& v = goal_.values;
    const auto factor = [&](std::int64_t n, std::size_t i) { return quotient(n, i, up) + halo; };
    const double bits = bits_of_values(v);
    take_shortest(
        2, std::min(kLargestDivided, *std::ranges::max_element(v)),
        [&](std::int64_t n) {
          bool is_same = true;
          for (std::size_t i = 0; i < v.size(); ++i) {
            const std::int64_t f = factor(n, i);
            if (f < 1 || v[i] % f != 0) return false;
            is_same = is_same && f == factor(n, 0);
          }
          return !is_same;
        },
        [&](std::int64_t n) {
          Column rest;
          for (std::size_t i = 0; i < v.size(); ++i) rest.push_back(v[i] / factor(n, i));
          const std::uint32_t mine = cost(n, up) + 4 + (halo == 0 ? 0 : 4 + bits_of(halo));
          if (mine + bits_of_values(rest) > bits || is_long(mine)) return;
          out_.push_back({with_constant(expression(n, up), halo) * hole(0),
                          mine,
                          (halo == 0 ? 0U : 1U) + unknown(n),
                          {{goal_.rows, std::move(rest)}}});
        });
  }

  // Of the numbers of a range that fit, those that take the fewest bits.
  template <class Fits, class Take>
  void take_shortest(std::int64_t first, std::int64_t last, const Fits& fits, const Take& take) {
    constexpr std::int64_t kMostTried = 4096;
    std::vector<std::int64_t> found;
    for (std::int64_t n = first; n <= std::min(last, first + kMostTried); ++n) {
      if (!view_.take(2)) return;
      if (fits(n)) found.push_back(n);
    }
    std::ranges::stable_sort(found, {},
                             [&](std::int64_t n) { return cost_of_number(numbers_, n); });
    if (found.size() > kMostFound) found.resize(kMostFound);
    for (const std::int64_t n : found) take(n);
  }

  // Longer than enough others.
  bool is_long(std::uint32_t bits) {
    if (lengths_.size() == kMostProposed && bits >= lengths_.top()) return true;
    lengths_.push(bits);
    if (lengths_.size() > kMostProposed) lengths_.pop();
    return false;
  }

  unsigned unknown(std::int64_t n) const { return is_known(numbers_, n) ? 0 : 1; }

  Expr expression(std::int64_t n, bool up) const {
    const Expr& d = divisor_.expression;
    return (up ? Expr(n) + d - Expr(1) : Expr(n)) / d;
  }

  std::uint32_t cost(std::int64_t n, bool up) const {
    return kQuotient + divisor_.cost + cost_of_number(numbers_, n) + (up ? kUp : 0);
  }

  const View& view_;
  const Goal& goal_;
  const std::set<std::int64_t>& numbers_;
  const Term& divisor_;
  Column d_;
  Reductions& out_;
  std::priority_queue<std::uint32_t> lengths_;  // of the shortest so far, the longest of them first
};

// The roundest of a range, or one that other laws have.
std::int64_t likeliest(const Range& n, const std::set<std::int64_t>& numbers) {
  std::int64_t best = n.first;
  for (unsigned shift = 0; shift < 40; ++shift) {
    const std::int64_t unit = std::int64_t{1} << shift, up = (n.first + unit - 1) / unit * unit;
    if (up <= n.last) best = up;
  }
  for (const std::int64_t known : numbers) {
    if (n.first <= known && known <= n.last) best = known;
  }
  return best;
}

// n * t / d + c and (a * t + n) / d + c, where t differs within runs: every sample bounds n.
class MultiplesFinder {
 public:
  MultiplesFinder(const View& view, const Term& t, const Term& d, Reductions& out)
      : view_(view),
        t_(t),
        d_(d),
        by_(view.on_rows(t.values)),
        divisor_(view.on_rows(d.values)),
        out_(out) {}

  void run() {
    const auto is_large = [](std::int64_t v) { return v > kLargestFactor || v < 0; };
    if (std::ranges::any_of(by_, is_large)) return;
    if (std::ranges::any_of(divisor_, [](std::int64_t v) { return v < 1 || v > kLargestFactor; }))
      return;
    if (std::ranges::any_of(view_.goal().values,
                            [](std::int64_t v) { return std::abs(v) > kLargestQuotient; }))
      return;
    for (std::int64_t c = -kLargestAdded; c <= kLargestAdded; ++c) {
      if (!view_.take(4 * kLargestSlope)) return;
      scaled_by_n(c);
      for (std::int64_t a = 1; a <= kLargestSlope; ++a) with_n_added(a, c);
    }
  }

 private:
  void scaled_by_n(std::int64_t c) {
    Range n{1, kLargestQuotient};
    for (std::size_t i = 0; i < by_.size() && n.first <= n.last; ++i) {
      const std::int64_t q = view_.goal().values[i] - c;
      if (by_[i] < 1 || q < 0) return;
      n.first = std::max(n.first, (q * divisor_[i] + by_[i] - 1) / by_[i]);
      n.last = std::min(n.last, ((q + 1) * divisor_[i] - 1) / by_[i]);
    }
    if (n.first > n.last) return;
    const std::int64_t best = likeliest(n, view_.numbers());
    propose(Expr(best) * t_.expression, best, 0, c);
  }

  void with_n_added(std::int64_t a, std::int64_t c) {
    Range n{1, kLargestQuotient};
    for (std::size_t i = 0; i < by_.size() && n.first <= n.last; ++i) {
      const std::int64_t least = (view_.goal().values[i] - c) * divisor_[i] - a * by_[i];
      n.first = std::max(n.first, least);
      n.last = std::min(n.last, least + divisor_[i] - 1);
    }
    if (n.first > n.last) return;
    const std::int64_t best = likeliest(n, view_.numbers());
    propose(scaled(a, t_.expression) + Expr(best), best, 4 + bits_of(a), c);
  }

  void propose(const Expr& numerator, std::int64_t n, std::uint32_t more, std::int64_t c) {
    const std::uint32_t bits = kQuotient + 4 + t_.cost + d_.cost + more +
                               cost_of_number(view_.numbers(), n) + (c == 0 ? 0 : 4 + bits_of(c));
    out_.push_back({with_constant(numerator / d_.expression, c), bits, 0, {}});
  }

  const View& view_;
  const Term& t_;
  const Term& d_;
  Column by_, divisor_;  // [rows of the goal]
  Reductions& out_;
};

// n / t, where t differs within runs: every sample bounds n.
void dividend(const View& view, const Term& t, Reductions& out) {
  const Column by = view.on_rows(t.values);
  if (!view.take(by.size())) return;
  Range n{1, kLargestQuotient};
  for (std::size_t i = 0; i < by.size() && n.first <= n.last; ++i) {
    const std::int64_t q = view.goal().values[i];
    if (by[i] < 1 || by[i] > kLargestFactor || q < 0 || q > kLargestQuotient / kLargestFactor)
      return;
    n.first = std::max(n.first, q * by[i]);
    n.last = std::min(n.last, (q + 1) * by[i] - 1);
  }
  if (n.first > n.last) return;
  const std::int64_t best = likeliest(n, view.numbers());
  const std::uint32_t bits = kQuotient + t.cost + cost_of_number(view.numbers(), best);
  out.push_back({Expr(best) / t.expression, bits, 0, {}});
}

}  // namespace

void quotients(const View& view, Reductions& out) {
  const Goal& goal = view.goal();
  if (goal.values.size() < 2) return;
  const auto is_alike = [&](const Term& t) {
    return goal.leaves != 0 && t.leaves == goal.leaves && t.cost <= kLongestMultiple;
  };
  for (const Term& t : view.terms().all()) {
    if (is_alike(t)) dividend(view, t, out);
  }
  for (const Term& d : view.terms().of_runs()) {
    if (d.cost > kLongestDivisor) continue;
    if (goal.leaves == 0) QuotientsFinder(view, d, out).run();
    for (const Term& t : view.terms().all()) {
      if (is_alike(t)) MultiplesFinder(view, t, d, out).run();
    }
  }
}

}  // namespace reprise::solve
