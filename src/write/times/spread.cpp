#include "write/times/spread.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace reprise::write::times {
namespace {

using trace::Bin;

constexpr std::size_t kMaxBins = 6;
constexpr double kWeight = 1e6;  // of all executions, however many there were
constexpr double kLargest = std::numeric_limits<int>::max();
constexpr double kUnit = 1e4;  // of lengths in a table, for the mean
// A gap between bins is one from this share of the deviation of all on.
constexpr double kGap = 0.5;
// Two are alike that are so much of their own spread apart on average, and as much as small samples
// are apart by chance.
constexpr double kAlike = 0.15;

// In fewer bins: neighbors are joined where that adds least to the distances within (Ward 1963).
std::vector<Bin> fewer(std::vector<Bin> bins) {
  const auto cost = [&](std::size_t i) {
    const double a = static_cast<double>(bins[i].count), b = static_cast<double>(bins[i + 1].count),
                 apart = bins[i + 1].mean() - bins[i].mean();
    return a * b / (a + b) * apart * apart;
  };
  while (bins.size() > kMaxBins) {
    std::size_t least = 0;
    for (std::size_t i = 1; i + 1 < bins.size(); ++i) {
      if (cost(i) < cost(least)) least = i;
    }
    bins[least].add(bins[least + 1]);
    bins.erase(bins.begin() + static_cast<std::ptrdiff_t>(least) + 1);
  }
  return bins;
}

}  // namespace

Spread::Spread(const trace::Histogram& histogram, double share) {
  const double gap = kGap * histogram.total().deviation();
  const std::vector<Bin> bins = fewer(histogram.bins());
  low_ = static_cast<double>(bins.front().min);
  double end = low_;
  for (std::size_t i = 0; i < bins.size(); ++i) {
    const Bin& b = bins[i];
    const auto min = static_cast<double>(b.min), max = static_cast<double>(b.max);
    const bool is_first = i == 0 || min - end > gap;
    const bool is_last = i + 1 == bins.size() || static_cast<double>(bins[i + 1].min) - max > gap;
    if (is_first && i > 0) add(0, min);
    end = is_first ? min : end;
    const double mean = std::clamp(b.mean(), end, std::max(end, max));
    add_bin(static_cast<double>(b.count), end, mean, std::max(end, max), is_first, is_last);
    end = ranges_.back().end;
  }
  double sum = 0, begin = low_;
  for (const Range& r : ranges_) {
    sum += r.count * (begin + r.end) / 2;
    begin = r.end;
  }
  const double scale = sum > 0 ? executions() / sum : 0;
  low_ = 1 + share * (scale * low_ - 1);
  for (Range& r : ranges_) r.end = 1 + share * (scale * r.end - 1);
}

// Two parts that meet at the mean, with as many executions each as keep it. Outwards there are
// fewer and fewer: of those in a tail, three quarters are in its inner half.
void Spread::add_bin(double count, double min, double mean, double max, bool tail_below,
                     bool tail_above) {
  constexpr double kInner = 0.75, kEven = 0.5;
  // How far from the mean a part is on average.
  const auto apart = [](double length, bool is_tail) {
    return length * (is_tail ? kInner * 0.25 + (1 - kInner) * 0.75 : kEven);
  };
  const double below = apart(mean - min, tail_below), above = apart(max - mean, tail_above);
  if (below + above <= 0) return add(count, max);
  const double lower = count * above / (below + above), upper = count - lower;
  if (tail_below) add((1 - kInner) * lower, (min + mean) / 2);
  add(tail_below ? kInner * lower : lower, mean);
  if (tail_above) add(kInner * upper, (mean + max) / 2);
  add(tail_above ? (1 - kInner) * upper : upper, max);
}

void Spread::add(double count, double end) { ranges_.push_back({count, end}); }

double Spread::executions() const {
  double n = 0;
  for (const Range& r : ranges_) n += r.count;
  return n;
}

std::vector<std::int64_t> Spread::table() const {
  const double scale = kWeight / executions();
  const auto unit = [](double end) { return std::llround(std::min(kUnit * end, kLargest)); };
  std::vector<std::int64_t> out = {0, unit(low_)};
  double so_far = 0;
  for (const Range& r : ranges_) {
    so_far += r.count;
    const long long upto = std::llround(scale * so_far);
    out.push_back(upto - out[0]);
    out.push_back(unit(r.end));
    out[0] = upto;
  }
  return out;
}

double Spread::quantile(double share) const {
  double at = share * executions(), begin = low_;
  for (const Range& r : ranges_) {
    if (at < r.count) return begin + at / r.count * (r.end - begin);
    at -= r.count;
    begin = r.end;
  }
  return begin;
}

bool Spread::resembles(const Spread& other) const {
  constexpr int kSteps = 20;
  double apart = 0, wide = 0;
  for (int i = 0; i < kSteps; ++i) {
    const double share = (i + 0.5) / kSteps;
    apart += std::abs(quantile(share) - other.quantile(share));
    wide += std::min(std::abs(quantile(share) - 1), std::abs(other.quantile(share) - 1));
  }
  const double chance = 1 / std::sqrt(std::max(1.0, std::min(executions(), other.executions())));
  return apart <= (kAlike + chance) * wide;
}

}  // namespace reprise::write::times
