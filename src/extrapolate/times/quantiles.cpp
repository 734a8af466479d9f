#include "extrapolate/times/quantiles.hpp"

#include <algorithm>
#include <cmath>

namespace reprise::extrapolate {

Quantiles::Quantiles(std::span<const trace::Bin> bins) {
  double all = 0, sum = 0;
  for (const trace::Bin& b : bins) {
    all += static_cast<double>(b.count);
    sum += static_cast<double>(b.sum);
  }
  if (all == 0) return;
  mean_ = sum / all;
  min_ = static_cast<double>(bins.front().min);
  max_ = static_cast<double>(bins.back().max);
  double counted = 0;
  for (const trace::Bin& b : bins) {
    const double mean = b.mean(), below = mean - static_cast<double>(b.min),
                 above = static_cast<double>(b.max) - mean;
    const double half = std::max(0.0, std::min({std::sqrt(3.0) * b.deviation(), below, above}));
    const double from = counted / all;
    counted += static_cast<double>(b.count);
    stretches_.push_back({from, counted / all, mean - half, mean + half});
  }
}

double Quantiles::at(double share) const {
  if (share <= 0 || stretches_.empty()) return min_;
  if (share >= 1) return max_;
  const auto s = std::ranges::find_if(stretches_, [&](const Stretch& x) { return share < x.to; });
  if (s == stretches_.end()) return max_;
  return std::lerp(s->low, s->high, (share - s->from) / (s->to - s->from));
}

// Of stretches that are uniform, mean and variance are sums.
Quantiles::Part Quantiles::part(double from, double to) const {
  double weight = 0, sum = 0, squares = 0;
  for (const Stretch& s : stretches_) {
    const double begin = std::max(from, s.from), end = std::min(to, s.to);
    if (!(end > begin)) continue;
    const double width = s.to - s.from;
    const double low = std::lerp(s.low, s.high, (begin - s.from) / width);
    const double high = std::lerp(s.low, s.high, (end - s.from) / width);
    const double mean = (low + high) / 2, reach = high - low;
    weight += end - begin;
    sum += (end - begin) * mean;
    squares += (end - begin) * (mean * mean + reach * reach / 12);
  }
  if (weight <= 0) return {at(from), at(from), at(from), 0};
  Part out;
  out.mean = sum / weight;
  out.deviation = std::sqrt(std::max(0.0, squares / weight - out.mean * out.mean));
  out.min = std::min(at(from), out.mean);
  out.max = std::max(at(to), out.mean);
  return out;
}

}  // namespace reprise::extrapolate
