#include "program/grid/space.hpp"

#include "expr/simplify.hpp"

namespace reprise::program {

using expr::Expr;
using expr::Op;

namespace {

constexpr std::size_t kMostDivisors = 12;  // that ranks are divided by

const Expr kRankOf = Expr::variable(expr::kRank);

}  // namespace

Space::Space(StreamCount streams, std::vector<std::int64_t> extents, bool with_divisors)
    : ranks_(streams.ranks), threads_(streams.threads), extents_(std::move(extents)) {
  add_coordinates();
  plain_.push_back(
      {kRankOf, [t = threads_](std::uint64_t s) { return static_cast<std::int64_t>(s / t); }});
  if (threads_ > 1) {
    plain_.push_back({Expr::variable(kThread), [t = threads_](std::uint64_t s) {
                        return static_cast<std::int64_t>(s % t);
                      }});
  }
  add_sums();
  if (with_divisors) add_divisors();
}

void Space::add_coordinates() {
  std::int64_t stride = 1;
  for (std::size_t d = 0; d < extents_.size(); ++d) {
    const auto of = [t = static_cast<std::int64_t>(threads_), stride,
                     extent = extents_[d]](std::uint64_t s) {
      return static_cast<std::int64_t>(s) / t / stride % extent;
    };
    plain_.push_back({Expr::variable(coordinate(d)), of});
    stride *= extents_[d];
  }
}

void Space::add_sums() {
  for (std::size_t a = 0; a < extents_.size(); ++a) {
    for (std::size_t b = a + 1; b < extents_.size(); ++b) {
      const Leaf one = plain_[a], other = plain_[b];
      derived_.push_back({one.expression - other.expression,
                          [one, other](std::uint64_t s) { return one.of(s) - other.of(s); }});
      derived_.push_back({one.expression + other.expression,
                          [one, other](std::uint64_t s) { return one.of(s) + other.of(s); }});
    }
  }
}

void Space::add_divisors() {
  const auto ranks = static_cast<std::int64_t>(ranks_);
  std::size_t divisors = 0;
  for (std::int64_t k = 2; k <= ranks / 2 && divisors < kMostDivisors; ++k) {
    if (k > 4096) break;
    if (ranks % k != 0) continue;
    ++divisors;
    const auto t = static_cast<std::int64_t>(threads_);
    derived_.push_back({kRankOf % Expr(k),
                        [t, k](std::uint64_t s) { return static_cast<std::int64_t>(s) / t % k; }});
    derived_.push_back({kRankOf / Expr(k),
                        [t, k](std::uint64_t s) { return static_cast<std::int64_t>(s) / t / k; }});
  }
}

Grid Space::grid() const {
  Grid out;
  out.extents.assign(extents_.begin(), extents_.end());
  std::int64_t stride = 1;
  for (std::size_t d = 0; d < extents_.size(); ++d) {
    Expr x = stride == 1 ? kRankOf : kRankOf / Expr(stride);
    if (d + 1 < extents_.size()) x = x % Expr(extents_[d]);
    out.coordinates.push_back(x);
    stride *= extents_[d];
  }
  return out;
}

}  // namespace reprise::program
