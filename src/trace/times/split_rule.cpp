// The split rule of histograms: which bins are rebalanced when, and how one becomes two. Source:
// Ratn et al. 2008, algorithm 2 (histogram.hpp says what differs).
#include <algorithm>
#include <cmath>

#include "trace/times/histogram.hpp"

namespace reprise::trace {
namespace {

// While bins are small, the interval between two attempts to rebalance is this many values.
constexpr std::uint64_t kFirstInterval = 32;

}  // namespace

void Histogram::plan_check(Range& range) const {
  std::uint64_t values = 0;
  for (const Range& r : bins_) values += r.count;
  const double share = smoothing_ * real(values);
  range.check = range.count + std::max(kFirstInterval, static_cast<std::uint64_t>(share));
}

// Algorithm 2, behind the addition.
void Histogram::rebalance() {
  const auto fuller = [](const Range& a, const Range& b) { return a.count < b.count; };
  auto fullest = static_cast<std::size_t>(std::ranges::max_element(bins_, fuller) - bins_.begin());
  plan_check(bins_[fullest]);
  for (Range& r : bins_) {
    if (r.count >= r.check) plan_check(r);
  }
  std::size_t pair = bins_.size();
  std::uint64_t least = bins_[fullest].count / 2;
  for (std::size_t i = 0; i + 1 < bins_.size(); ++i) {
    if (i == fullest || i + 1 == fullest) continue;
    const std::uint64_t joint = bins_[i].count + bins_[i + 1].count;
    if (joint > least) continue;
    least = joint;
    pair = i;
  }
  // Values that are all alike stay in one bin.
  if (pair == bins_.size() || bins_[fullest].max - bins_[fullest].min < 2) return;
  join(pair);
  split(pair < fullest ? fullest - 1 : fullest);
}

// Two bins, at the mean of one, which together vary as it did. Halves whose means lie half a
// deviation aside and that have half of it each, as the paper has it, would lose half of the
// variance with every split.
void Histogram::split(std::size_t index) {
  const Range whole = bins_[index];
  const double mean = whole.mean();
  const BinSides sides(whole);
  const auto edge = static_cast<std::int64_t>(std::ceil(mean));
  const double most = real(whole.count) * (mean - real(whole.min)) / real(edge - whole.min);
  const std::uint64_t upper_count = std::clamp<std::uint64_t>(
      sides.upper, 1, std::max<std::uint64_t>(1, static_cast<std::uint64_t>(most)));
  const std::uint64_t lower_count = whole.count - upper_count;
  const auto n = static_cast<std::int64_t>(upper_count), m = static_cast<std::int64_t>(lower_count);
  const std::int64_t least_sum = std::max(n * edge, whole.sum - m * edge);
  const std::int64_t most_sum = std::min(n * whole.max, whole.sum - m * whole.min);
  const std::int64_t sum = rounded(real(upper_count) * (mean + sides.above / 2));

  Range lower = whole, upper = whole;
  upper.count = upper_count;
  upper.sum = std::max(least_sum, std::min(most_sum, sum));
  upper.min = edge;
  upper.squares = real(upper_count) * sides.above * sides.above / 12;
  lower.count = lower_count;
  lower.sum = whole.sum - upper.sum;
  lower.max = edge;
  lower.end = edge;
  lower.squares = real(lower_count) * sides.below * sides.below / 12;
  for (Range* half_range : {&lower, &upper}) {
    limit_spread(*half_range);
    plan_check(*half_range);
  }
  bins_[index] = lower;
  bins_.insert(bins_.begin() + static_cast<std::ptrdiff_t>(index) + 1, upper);
}

}  // namespace reprise::trace
