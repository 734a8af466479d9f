#include "compress/times/merged_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "compress/times/merged_times.hpp"
#include "compress/times/unite_closest.hpp"
#include "trace/series/series_folder.hpp"
#include "trace/times/make_histogram.hpp"

namespace reprise::compress {
namespace {

using trace::Bin;
using trace::DeltaTimes;
using trace::real;

constexpr std::size_t kFewestBlocks = 2;
// Fewer blocks are as good as the finest if they leave at most so many times the variance.
constexpr double kAsGood = 1.1;
// Blocks leave at most so much of the variance that there is without them.
constexpr double kMostLeft = 0.9;

// How many of `count` executions are in a block.
std::uint64_t executions_in(std::size_t block, std::uint64_t width, std::uint64_t count) {
  const std::uint64_t begin = block * width;
  return begin >= count ? 0 : std::min(width, count - begin);
}

// So many executions that are distributed as those of the bin.
Bin with_count(Bin bin, std::uint64_t count) {
  const double share = real(count) / real(bin.count);
  return {count, std::llround(static_cast<double>(bin.sum) * share), bin.min, bin.max,
          bin.squares * share};
}

// How far means of blocks are apart, each beside the mean of all: the root mean square over
// executions.
double distance(const TimeBlocks& a, const TimeBlocks& b) {
  const double mean_a = a.total().mean(), mean_b = b.total().mean();
  double squares = 0, n = 0;
  for (std::size_t i = 0; i < std::min(a.bins.size(), b.bins.size()); ++i) {
    const double apart = a.bins[i].mean() / mean_a - b.bins[i].mean() / mean_b;
    const double weight = real(std::min(a.bins[i].count, b.bins[i].count));
    squares += weight * apart * apart;
    n += weight;
  }
  return n == 0 ? 0 : std::sqrt(squares / n);
}

// Rounded as in a trace, without counts.
std::size_t rounded_size(const std::vector<DeltaTimes>& modes) {
  ByteWriter out;
  for (const DeltaTimes& m : modes) {
    m.class_of.encode(out);
    for (const trace::Histogram& h : m.classes) h.encode(out, trace::Rounding::to(10'000), true);
  }
  return out.size();
}

}  // namespace

MergedBlocks::MergedBlocks(TimeBlocks blocks) : width_(blocks.width), number_{kNoTrend} {
  if (blocks.bins.empty()) return;
  classes_.push_back(std::move(blocks));
  number_ = {0};
}

MergedBlocks MergedBlocks::absent(std::uint64_t n) {
  MergedBlocks out;
  out.number_.assign(n, kNoTrend);
  return out;
}

void MergedBlocks::widen(std::uint64_t width) {
  for (; width_ < width; width_ *= 2) {
    for (TimeBlocks& c : classes_) c.coarsen();
  }
}

void MergedBlocks::append(MergedBlocks&& next) {
  widen(next.width_);
  next.widen(width_);
  const std::size_t here = classes_.size();
  std::ranges::move(next.classes_, std::back_inserter(classes_));
  for (const std::uint8_t n : next.number_) {
    number_.push_back(n == kNoTrend ? n : static_cast<std::uint8_t>(n + here));
  }
  if (here == 0 || next.classes_.empty()) return;
  std::vector<std::uint8_t> number;
  for (std::size_t c = 0; c < classes_.size(); ++c) number.push_back(static_cast<std::uint8_t>(c));
  unite_classes(number);
  for (std::uint8_t& n : number_) {
    if (n != kNoTrend) n = number[n];
  }
}

// Unites classes that change alike, and the closest while there are too many. `number` follows
// where each class goes.
void MergedBlocks::unite_classes(std::vector<std::uint8_t>& number) {
  const auto apart = [this](std::size_t a, std::size_t b) {
    return distance(classes_[a], classes_[b]);
  };
  unite_closest(classes_.size(), number, apart, [this](std::size_t a, std::size_t b) {
    TimeBlocks other = std::move(classes_[b]);
    other.scale_to_mean(classes_[a].total().mean());
    classes_[a].add(other);
    classes_.erase(classes_.begin() + static_cast<std::ptrdiff_t>(b));
  });
}

std::size_t MergedBlocks::blocks_of(const MergedDelta& all) const {
  return static_cast<std::size_t>((all.most_executions() - 1) / width_ + 1);
}

// Streams without a trend are a class that takes as long in each block.
void MergedBlocks::add_steady_class(const MergedDelta& all) {
  TimeBlocks steady{width_, {}};
  const auto number = static_cast<std::uint8_t>(classes_.size());
  for (std::uint64_t s = 0; s < all.streams(); ++s) {
    Bin of_stream = all.of_stream(s);
    of_stream.sum = std::max<std::int64_t>(0, of_stream.sum);
    if (number_[s] != kNoTrend || of_stream.count == 0) continue;
    number_[s] = number;
    TimeBlocks row{width_, {}};
    for (std::size_t b = 0; b < blocks_of(all); ++b) {
      const std::uint64_t n = executions_in(b, width_, of_stream.count);
      if (n > 0) row.bins.push_back(with_count(of_stream, n));
    }
    if (!steady.bins.empty()) row.scale_to_mean(steady.total().mean());
    steady.add(row);
  }
  if (!steady.bins.empty()) classes_.push_back(std::move(steady));
}

// Each class in terms of what its streams spent.
void MergedBlocks::restore_sums(const MergedDelta& all) {
  std::vector<double> sums(classes_.size());
  for (std::uint64_t s = 0; s < all.streams(); ++s) {
    if (number_[s] != kNoTrend) sums[number_[s]] += static_cast<double>(all.of_stream(s).sum);
  }
  for (std::size_t c = 0; c < classes_.size(); ++c)
    classes_[c].scale_to_mean(sums[c] / real(classes_[c].total().count));
}

DeltaTimes MergedBlocks::times_in(std::size_t block, const MergedDelta& all) const {
  std::vector<std::uint64_t> count_of(classes_.size()), first_of(classes_.size());
  trace::SeriesFolder counts;
  for (std::uint64_t s = 0; s < all.streams(); ++s) {
    const std::uint64_t n = executions_in(block, width_, all.of_stream(s).count);
    counts.append(static_cast<std::int64_t>(n));
    if (n == 0) continue;
    if (count_of[number_[s]] == 0) first_of[number_[s]] = s;
    count_of[number_[s]] += n;
  }
  DeltaTimes out;
  out.counts = counts.finish();
  std::vector<std::int64_t> place(classes_.size(), 0);
  Bin total;
  for (std::size_t c = 0; c < classes_.size(); ++c) {
    if (count_of[c] == 0) continue;
    const TimeBlocks& own = classes_[c];
    const bool is_there = block < own.bins.size() && own.bins[block].count > 0;
    const Bin bin = with_count(is_there ? own.bins[block] : own.total(), count_of[c]);
    if (total.count == 0 || bin.min < total.min) out.min_stream = first_of[c];
    if (total.count == 0 || bin.max > total.max) out.max_stream = first_of[c];
    total.add(bin);
    place[c] = std::ssize(out.classes);
    out.classes.push_back(trace::make_histogram({bin}));
  }
  if (out.classes.size() < 2) return out;
  trace::SeriesFolder class_of;
  std::int64_t before = 0;
  for (const std::uint8_t n : number_) {
    // A stream that never came this way is put with the one before it.
    if (n != kNoTrend) before = place[n];
    class_of.append(before);
  }
  out.class_of = class_of.finish();
  return out;
}

Modes MergedBlocks::modes_of(const MergedDelta& all) const {
  Modes out;
  double within = 0, means = 0;
  trace::SeriesFolder mode_of;
  for (std::size_t b = 0; b < blocks_of(all); ++b) {
    mode_of.append(static_cast<std::int64_t>(b), executions_in(b, width_, all.most_executions()));
    const DeltaTimes& times = out.times.emplace_back(times_in(b, all));
    means += real(times.classes.size());
    for (const trace::Histogram& h : times.classes) within += h.total().squares;
  }
  out.mode_of = {.by_stream = {}, .classes = {mode_of.finish()}};
  // Means are closer to the values that they were taken of than to others.
  const double n = real(all.executions());
  out.left = n > means ? within * n / (n - means) : std::numeric_limits<double>::infinity();
  return out;
}

Modes MergedBlocks::finish(const MergedDelta& all, std::size_t most_bytes) && {
  if (classes_.empty() || all.most_executions() > TimeBlocks::kMostExecutions) return {};
  while (blocks_of(all) > BlockFolder::kMaxBlocks) widen(2 * width_);
  add_steady_class(all);
  restore_sums(all);
  Modes out;
  double finest = std::numeric_limits<double>::infinity();
  for (; blocks_of(all) >= kFewestBlocks; widen(2 * width_)) {
    Modes modes = modes_of(all);
    finest = std::min(finest, modes.left);
    if (!out.times.empty() && modes.left > kAsGood * finest) break;
    if (rounded_size(modes.times) <= most_bytes) out = std::move(modes);
  }
  while (blocks_of(all) > 1) widen(2 * width_);
  if (out.left > kMostLeft * modes_of(all).left) return {};
  return out;
}

void MergedBlocks::encode(ByteWriter& out) const {
  out.varint(classes_.size());
  for (const TimeBlocks& c : classes_) c.encode(out);
  out.varint(number_.size());
  for (const std::uint8_t n : number_) out.byte(n);
}

MergedBlocks MergedBlocks::decode(ByteReader& in) {
  MergedBlocks out;
  out.classes_.resize(in.count_of<TimeBlocks>());
  for (TimeBlocks& c : out.classes_) {
    c = TimeBlocks::decode(in);
    if (c.bins.empty() || c.width != out.classes_.front().width) in.fail("impossible blocks");
    out.width_ = c.width;
  }
  out.number_.resize(in.count());
  for (std::uint8_t& n : out.number_) {
    n = in.byte();
    if (n != kNoTrend && n >= out.classes_.size()) in.fail("a class that is not there");
  }
  return in.failed() ? MergedBlocks{} : out;
}

}  // namespace reprise::compress
