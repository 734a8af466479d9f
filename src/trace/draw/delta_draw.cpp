#include "trace/draw/delta_draw.hpp"

#include <algorithm>
#include <cmath>

#include "base/hash.hpp"

namespace reprise::trace {
namespace {

// Up to this share of the mean, a deviation tells how single values are distributed.
constexpr double kNarrow = 0.25;

// Multiples of it, modulo 1, are spread evenly, however many there are.
constexpr double kGoldenRatio = 0.6180339887498949;

// Uniform in [0, 1).
double uniform(std::uint64_t random) { return static_cast<double>(random >> 11) * 0x1p-53; }

}  // namespace

DeltaDraw::DeltaDraw(const DeltaTimes& times, std::uint64_t stream, DrawSeed seed) {
  const Histogram* histogram = times.class_for(stream);
  if (!histogram) return;
  const Bin total = histogram->total();
  left_ = times.count_of(stream);
  sum_left_ = times.sum_of(stream);
  mean_ = sum_left_ / static_cast<double>(left_);
  const std::uint64_t common = combine(seed.seed, seed.key), own = combine(common, stream + 1);
  const bool concordant = times.is_concordant();
  order_ = concordant ? common : own;
  const double apart = concordant ? 1 - times.concordance : 1;
  own_variance_ = apart * total.deviation() * total.deviation();
  variation_ = mix(own);

  // Systematic rounding: bin i ends at its cumulated share, rounded down behind an offset. Offsets
  // are spread evenly over the streams, so that together they draw from every bin what it holds,
  // rare values too, and equal where the streams coincide.
  const double share = static_cast<double>(left_) / static_cast<double>(total.count);
  double offset = uniform(mix(common));
  if (!concordant) offset += kGoldenRatio * static_cast<double>(stream);
  offset -= std::floor(offset);
  std::uint64_t counted = 0, given = 0;
  for (const Bin& b : histogram->bins()) {
    counted += b.count;
    const double end = share * static_cast<double>(counted) + offset;
    const std::uint64_t upto =
        counted == total.count ? left_ : std::min(left_, static_cast<std::uint64_t>(end));
    quotas_.push_back({b, upto - given});
    given = upto;
  }
  mean_only_ = quotas_.size() == 1 && total.deviation() > kNarrow * total.mean();
  for (const Quota& q : quotas_) expected_left_ += static_cast<double>(q.left) * q.bin.mean();
}

double DeltaDraw::next() {
  if (left_ == 0) return mean_;
  if (mean_only_ || expected_left_ <= 0) return mean_;
  order_ = mix(order_);
  variation_ = mix(variation_);
  auto place = static_cast<std::uint64_t>(uniform(order_) * static_cast<double>(left_));
  auto quota = quotas_.begin();
  while (place >= quota->left && quota + 1 != quotas_.end()) place -= (quota++)->left;
  while (quota->left == 0) --quota;  // the rounding of `place`

  const Bin& bin = quota->bin;
  // Uniform with the bin's mean and deviation, as far as its range allows. What the streams vary
  // by apart from each other is their own, and the rest of the deviation they have in common.
  const double variance = bin.deviation() * bin.deviation();
  const double own = std::sqrt(3 * std::min(variance, own_variance_));
  const double common = std::sqrt(3 * std::max(0.0, variance - own_variance_));
  const double spread =
      own * (2 * uniform(variation_) - 1) + common * (2 * uniform(mix(order_)) - 1);
  const double drawn =
      std::clamp(bin.mean() + spread, static_cast<double>(bin.min), static_cast<double>(bin.max));
  const double value =
      left_ == 1 ? sum_left_ : std::min(sum_left_, drawn * sum_left_ / expected_left_);
  --quota->left;
  --left_;
  expected_left_ -= bin.mean();
  sum_left_ = std::max(0.0, sum_left_ - value);
  return value;
}

PathDraw::PathDraw(const Path& path, std::uint64_t stream, DrawSeed seed) {
  if (path.modes.empty()) {
    modes_.emplace_back(path.compute, stream, seed);
    return;
  }
  double sum = 0;
  for (std::size_t m = 0; m < path.modes.size(); ++m) {
    modes_.emplace_back(path.modes[m], stream, DrawSeed{seed.seed, combine(seed.key, m)});
    sum += path.modes[m].sum_of(stream);
  }
  mode_of_ = ValueCursor(path.mode_of, stream);
  if (sum > 0) scale_ = path.compute.sum_of(stream) / sum;
}

double PathDraw::next() {
  if (modes_.size() == 1) return modes_.front().next();
  const auto mode = static_cast<std::uint64_t>(mode_of_.next());
  return scale_ * modes_[mode < modes_.size() ? mode : 0].next();
}

}  // namespace reprise::trace
