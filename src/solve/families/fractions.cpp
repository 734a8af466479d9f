// (p * t + c) / q with small numbers, rounded down: every q-th, and shares of a whole.
#include <algorithm>
#include <limits>
#include <numeric>

#include "solve/exact.hpp"
#include "solve/family.hpp"

namespace reprise::solve {
namespace {

using expr::Expr;

constexpr std::int64_t kLargestTerm = 16;       // p and q
constexpr std::uint32_t kLongestDividend = 12;  // [bits]: a leaf, or a combination of two
constexpr std::uint32_t kFraction = 6;          // [bits]
constexpr std::uint32_t kUnusual = 5;           // [bits]: a denominator or a rounding that is none
constexpr std::uint32_t kUnusualRounding = 4;   // [bits]
constexpr std::uint32_t kRounded = 8;           // [bits]: what runs differ in is whole more often
// Constants that p is as good as, where it is not 1: rounded, many multiples lie on a few runs.
constexpr unsigned kChosenByMultiple = 3;
constexpr std::int64_t kLargestValue = std::int64_t{1} << 40;

// Parts that people make: up to sixths, and every 8th, 10th, 16th.
bool is_usual(std::int64_t p, std::int64_t q) {
  return q <= 6 || (p == 1 && (q == 8 || q == 10 || q == 16));
}

class FractionsFinder {
 public:
  FractionsFinder(const View& view, const Term& term, Reductions& out)
      : view_(view), goal_(view.goal()), term_(term), t_(view.on_rows(term.values)), out_(out) {}

  void run() {
    for (std::size_t i = 0; i < t_.size(); ++i) {
      if (std::max(std::abs(t_[i]), std::abs(goal_.values[i])) > kLargestValue) return;
    }
    const auto [first, last] = std::ranges::minmax(t_);
    for (std::int64_t q = 2; q <= kLargestTerm; ++q) {
      // Within runs, what was seen of less than two periods does not tell how a multiple goes on.
      const bool has_periods = goal_.leaves == 0 || last - first + 1 >= 2 * q;
      for (std::int64_t p = -kLargestTerm; p <= kLargestTerm; ++p) {
        const bool is_multiple = p != 1 && p != -1;
        if (std::gcd(p, q) == 1 && (has_periods || !is_multiple)) attempt(p, q);
      }
    }
  }

 private:
  // q * v <= p * t + c < q * v + q on all rows bounds c.
  void attempt(std::int64_t p, std::int64_t q) {
    std::int64_t least = std::numeric_limits<std::int64_t>::min();
    std::int64_t most = std::numeric_limits<std::int64_t>::max();
    std::size_t i = 0;
    for (; i < t_.size() && least <= most; ++i) {
      const std::int64_t from = q * goal_.values[i] - p * t_[i];
      least = std::max(least, from);
      most = std::min(most, from + q - 1);
    }
    if (!view_.take(i) || least > most) return;
    const std::int64_t c = least <= 0 && most >= 0 ? 0 : most < 0 ? most : least;
    propose(p, q, c);
    // Rounded up, and one below: where all fits evenly nothing tells them apart.
    for (const std::int64_t other : {q - 1, std::int64_t{-1}}) {
      if (other != c && least <= other && other <= most) propose(p, q, other);
    }
  }

  void propose(std::int64_t p, std::int64_t q, std::int64_t c) {
    bool is_whole = true;
    for (const std::int64_t t : t_) is_whole = is_whole && (p * t + c) % q == 0;
    // Down or up; to the nearest, or one below, now and then.
    const std::uint32_t rounding = c == 0 || c == q - 1    ? 0
                                   : c == q / 2 || c == -1 ? kUnusualRounding
                                                           : kUnusual;
    const std::uint32_t cost = kFraction + term_.cost + bits_of(q) + (p == 1 ? 0 : 8 + bits_of(p)) +
                               (c == 0 ? 0 : 5 + bits_of(c)) + (is_usual(p, q) ? 0 : kUnusual) +
                               rounding + (is_whole || goal_.leaves != 0 ? 0 : kRounded);
    out_.push_back({with_constant(scaled(p, term_.expression), c) / Expr(q) + hole(0),
                    cost,
                    1U + (p == 1 ? 0U : kChosenByMultiple) + (c == 0 ? 0U : 1U),
                    {{goal_.rows, Column(t_.size(), 0)}}});
  }

  const View& view_;
  const Goal& goal_;
  const Term& term_;
  Column t_;
  Reductions& out_;
};

}  // namespace

void fractions(const View& view, Reductions& out) {
  for (const Term& t : view.terms().all()) {
    const bool fits = view.goal().leaves == t.leaves;
    if (fits && t.cost <= kLongestDividend) FractionsFinder(view, t, out).run();
  }
}

}  // namespace reprise::solve
