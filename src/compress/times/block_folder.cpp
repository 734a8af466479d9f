#include "compress/times/block_folder.hpp"

#include <bit>
#include <cmath>
#include <utility>

namespace reprise::compress {
namespace {

using trace::Bin;
using trace::real;

// Ratios of variances that noise does not reach once in a thousand times, the fewer values there
// are the larger ones.
constexpr double kLeastRatio = 4, kRatioOfFew = 60;
constexpr double kLeastSlope = 20;  // t^2
// A trend explains at least this part of the variance, and deviates by that part of the mean.
constexpr double kLeastExplained = 0.1;
constexpr double kLeastDeviation = 0.02;
constexpr std::size_t kFewestOfTrend = 3;
constexpr std::int64_t kMostTime = std::int64_t{1} << 60;  // of a block [ns]

// REQUIRES: there are two values a block on average, from which to tell how they vary within.
bool have_trend_in(const std::vector<Bin>& bins) {
  Bin all;
  double within = 0;  // squared distances from the means of blocks [ticks^2]
  for (const Bin& b : bins) {
    if (b.sum < 0) return false;
    all.add(b);
    within += b.squares;
  }
  const double n = real(all.count), blocks = real(bins.size()), mean = all.mean();
  const double between = all.squares - within;
  if (mean <= 0 || between < kLeastExplained * all.squares) return false;
  if (std::sqrt(between / n) < kLeastDeviation * mean) return false;
  const double ratio = between / (blocks - 1) * (n - blocks);
  if (ratio > (kLeastRatio + kRatioOfFew / (n - blocks)) * within) return true;
  // The least squares line through the means of blocks.
  double at = 0, xx = 0, xy = 0;
  const double middle = (n - 1) / 2;
  for (const Bin& b : bins) {
    const double x = at + (real(b.count) - 1) / 2 - middle;
    xx += real(b.count) * x * x;
    xy += real(b.count) * x * (b.mean() - mean);
    at += real(b.count);
  }
  const double by_slope = xy * xy / xx;
  return by_slope * (n - 2) > kLeastSlope * (all.squares - by_slope);
}

}  // namespace

Bin TimeBlocks::total() const {
  Bin all;
  for (const Bin& b : bins) all.add(b);
  return all;
}

void TimeBlocks::add(const TimeBlocks& other) {
  bins.resize(std::max(bins.size(), other.bins.size()));
  for (std::size_t b = 0; b < other.bins.size(); ++b) bins[b].add(other.bins[b]);
}

void TimeBlocks::coarsen() {
  for (std::size_t b = 0; b < bins.size(); b += 2) {
    bins[b / 2] = bins[b];
    if (b + 1 < bins.size()) bins[b / 2].add(bins[b + 1]);
  }
  bins.resize((bins.size() + 1) / 2);
  width *= 2;
}

// A factor that would make the total exceed what make_histogram() takes is reduced.
void TimeBlocks::scale(double factor) {
  const double kMost = trace::Histogram::kMostTime / 2;
  factor = std::min(factor, kMost / std::max(1.0, static_cast<double>(total().sum)));
  const auto scaled = [factor, kMost](std::int64_t v) {
    return std::llround(std::clamp(static_cast<double>(v) * factor, -kMost, kMost));
  };
  for (Bin& b : bins)
    b = {b.count, scaled(b.sum), scaled(b.min), scaled(b.max), b.squares * factor * factor};
}

void TimeBlocks::scale_to_mean(double mean) {
  const double own = total().mean();
  if (mean > 0 && own > 0) scale(mean / own);
}

bool TimeBlocks::have_trend() const {
  TimeBlocks coarse = *this;
  if (coarse.width == 1) coarse.coarsen();
  return coarse.bins.size() >= kFewestOfTrend && have_trend_in(coarse.bins);
}

void TimeBlocks::encode(ByteWriter& out) const {
  out.varint(bins.size());
  if (bins.empty()) return;
  out.varint(width);
  for (const Bin& b : bins) {
    out.varint(b.count);
    out.signed_varint(b.sum);
    out.signed_varint(b.min);
    out.varint(static_cast<std::uint64_t>(b.max - b.min));
    out.fixed64(std::bit_cast<std::uint64_t>(b.squares));
  }
}

TimeBlocks TimeBlocks::decode(ByteReader& in) {
  TimeBlocks out;
  out.bins.resize(in.count_of<Bin>(12));
  if (out.bins.empty()) return out;
  out.width = in.varint();
  const bool is_possible = std::has_single_bit(out.width) && out.width <= kMostExecutions &&
                           out.bins.size() <= BlockFolder::kMaxBlocks;
  if (!is_possible) in.fail("impossible blocks of executions");
  for (Bin& b : out.bins) {
    b.count = in.varint();
    b.sum = in.signed_varint();
    b.min = in.signed_varint();
    const std::uint64_t range = in.varint();
    b.squares = std::bit_cast<double>(in.fixed64());
    const bool is_bin = b.count > 0 && b.count <= kMostExecutions && b.sum >= 0 &&
                        b.sum <= kMostTime && b.min >= -kMostTime && b.min <= kMostTime &&
                        range <= std::uint64_t{kMostTime} && b.squares >= 0 &&
                        std::isfinite(b.squares);
    if (!is_bin) {
      in.fail("an impossible block of executions");
      break;
    }
    b.max = b.min + static_cast<std::int64_t>(range);
  }
  return in.failed() ? TimeBlocks{} : out;
}

TimeBlocks BlockFolder::finish() const {
  TimeBlocks out{width_, {}};
  const auto append = [&out](const Block& b, std::uint64_t count) {
    const double n = real(count), sum = static_cast<double>(b.sum);
    out.bins.push_back({count, b.sum, b.min, b.max, std::max(0.0, b.squares - sum * sum / n)});
  };
  for (const Block& b : closed_) append(b, width_);
  if (in_last_ > 0) append(last_, in_last_);
  return out.have_trend() ? out : TimeBlocks{};
}

void BlockFolder::close_block() {
  closed_.push_back(std::exchange(last_, {}));
  in_last_ = 0;
  if (closed_.size() < kMaxBlocks) return;
  for (std::size_t b = 0; b < kMaxBlocks; b += 2) {
    const Block &first = closed_[b], &second = closed_[b + 1];
    closed_[b / 2] = {first.sum + second.sum, std::min(first.min, second.min),
                      std::max(first.max, second.max), first.squares + second.squares};
  }
  closed_.resize(kMaxBlocks / 2);
  width_ *= 2;
}

}  // namespace reprise::compress
