#include "trace/histogram.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace reprise::trace {
namespace {

constexpr std::int64_t kNoEnd = std::numeric_limits<std::int64_t>::max();
// While bins are small, the interval between two attempts to rebalance is this many values.
constexpr std::uint64_t kFirstInterval = 32;

double real(std::int64_t v) { return static_cast<double>(v); }
double real(std::uint64_t v) { return static_cast<double>(v); }

std::int64_t rounded(double v) { return static_cast<std::int64_t>(std::llround(v)); }

// What joining two neighbours adds to the squared distances within bins (Ward 1963): groups that
// lie apart stay apart.
double cost_of_joining(const Bin& a, const Bin& b) {
  const double gap = b.mean() - a.mean();
  return gap * gap * real(a.count) * real(b.count) / real(a.count + b.count);
}

// Joins neighbours, sorted by their means, until at most `limit` are left.
void reduce(std::vector<Bin>& bins, std::size_t limit) {
  while (bins.size() > limit) {
    std::size_t best = 0;
    for (std::size_t i = 1; i + 1 < bins.size(); ++i) {
      if (cost_of_joining(bins[i], bins[i + 1]) < cost_of_joining(bins[best], bins[best + 1]))
        best = i;
    }
    bins[best].add(bins[best + 1]);
    bins.erase(bins.begin() + static_cast<std::ptrdiff_t>(best) + 1);
  }
}

// Puts an edge between bins that overlap, and joins those between which none fits.
void separate(std::vector<Bin>& bins) {
  const auto least = [](const Bin& a, const Bin& b) { return a.min < b.min; };
  const auto most = [](const Bin& a, const Bin& b) { return a.max < b.max; };
  const std::int64_t min = std::ranges::min(bins, least).min,
                     max = std::ranges::max(bins, most).max;
  bins.front().min = min;
  bins.back().max = max;
  for (std::size_t i = 0; i + 1 < bins.size();) {
    Bin &a = bins[i], &b = bins[i + 1];
    const auto first = static_cast<std::int64_t>(std::ceil(a.mean()));
    const auto last = static_cast<std::int64_t>(std::floor(b.mean()));
    if (a.max <= b.min) {
      ++i;
    } else if (first > last) {
      a.add(b);
      bins.erase(bins.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      if (i > 0) --i;
    } else {
      a.max = b.min = std::clamp(std::midpoint(a.max, b.min), first, last);
      ++i;
    }
  }
}

// Where an edge was put, values spread no further than the range allows (Bhatia & Davis 2000).
void limit_spread(Bin& b) {
  const double mean = b.mean();
  const double most = real(b.count) * (real(b.max) - mean) * (mean - real(b.min));
  b.squares = std::clamp(b.squares, 0.0, std::max(0.0, most));
}

}  // namespace

double Bin::deviation() const { return count == 0 ? 0 : std::sqrt(squares / real(count)); }

void Bin::add(std::int64_t value) {
  if (count == 0) {
    *this = {.count = 1, .sum = value, .min = value, .max = value, .squares = 0};
    return;
  }
  if (value != min || value != max) {
    const double n = real(count), distance = n * real(value) - real(sum);
    squares += distance * distance / (n * (n + 1));
    min = std::min(min, value);
    max = std::max(max, value);
  }
  ++count;
  sum += value;
}

void Bin::add(const Bin& other) {
  if (other.count == 0) return;
  if (count == 0) {
    *this = other;
    return;
  }
  squares += other.squares + cost_of_joining(*this, other);
  count += other.count;
  sum += other.sum;
  min = std::min(min, other.min);
  max = std::max(max, other.max);
}

void Histogram::add(std::int64_t value) {
  if (bins_.empty()) create(value);
  std::size_t i = 0;
  while (value >= bins_[i].end) ++i;
  Range& range = bins_[i];
  range.Bin::add(value);
  if (range.count >= range.check) rebalance();
}

// Algorithm 1.
void Histogram::create(std::int64_t first) {
  bins_.resize(std::clamp<std::size_t>(limit_, 1, kMaxBins));
  const double width = 2 * real(first) / real(std::uint64_t{bins_.size()});
  for (std::size_t i = 0; i < bins_.size(); ++i) {
    bins_[i].end = rounded(width * real(std::uint64_t{i + 1}));
    bins_[i].check = bins_.size() > 2 ? kFirstInterval : ~std::uint64_t{0};
  }
  bins_.back().end = kNoEnd;
}

void Histogram::plan_check(Range& range) const {
  const double share = smoothing_ * real(total().count);
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
  bins_[pair].Bin::add(bins_[pair + 1]);
  bins_[pair].end = bins_[pair + 1].end;
  bins_.erase(bins_.begin() + static_cast<std::ptrdiff_t>(pair) + 1);
  split(pair < fullest ? fullest - 1 : fullest);
}

// Two halves of a bin, at its mean: their means half a standard deviation to either side, their
// deviations half of its own, as far as its range and its sum allow.
void Histogram::split(std::size_t index) {
  const Range whole = bins_[index];
  const double mean = whole.mean(), half = whole.deviation() / 2;
  const auto edge = static_cast<std::int64_t>(std::ceil(mean));
  const double most = real(whole.count) * (mean - real(whole.min)) / real(edge - whole.min);
  const std::uint64_t upper_count =
      std::clamp<std::uint64_t>(static_cast<std::uint64_t>(most), 1, whole.count / 2);
  const std::uint64_t lower_count = whole.count - upper_count;
  const auto n = static_cast<std::int64_t>(upper_count), m = static_cast<std::int64_t>(lower_count);
  const std::int64_t least_sum = std::max(n * edge, whole.sum - m * edge);
  const std::int64_t most_sum = std::min(n * whole.max, whole.sum - m * whole.min);

  Range lower = whole, upper = whole;
  upper.count = upper_count;
  upper.sum = std::max(least_sum, std::min(most_sum, rounded(real(upper_count) * (mean + half))));
  upper.min = edge;
  upper.squares = real(upper_count) * half * half;
  lower.count = lower_count;
  lower.sum = whole.sum - upper.sum;
  lower.max = edge;
  lower.squares = real(lower_count) * half * half;
  lower.end = edge;
  for (Range* half_range : {&lower, &upper}) {
    limit_spread(*half_range);
    plan_check(*half_range);
  }
  bins_[index] = lower;
  bins_.insert(bins_.begin() + static_cast<std::ptrdiff_t>(index) + 1, upper);
}

std::vector<Bin> Histogram::bins() const {
  std::vector<Bin> out;
  for (const Range& r : bins_) {
    if (r.count > 0) out.push_back(r);
  }
  return out;
}

Bin Histogram::total() const {
  Bin out;
  for (const Range& r : bins_) out.add(r);
  return out;
}

void Histogram::merge(const Histogram& other) {
  std::vector<Bin> all = bins();
  for (const Bin& b : other.bins()) all.push_back(b);
  limit_ = std::max(limit_, other.limit_);
  if (all.empty()) return;
  std::ranges::stable_sort(all, {}, &Bin::mean);
  reduce(all, limit_);
  separate(all);
  assign(std::move(all));
}

void Histogram::scale(double factor) {
  std::vector<Bin> all = bins();
  for (Bin& b : all) {
    b.sum = rounded(real(b.sum) * factor);
    b.min = static_cast<std::int64_t>(std::floor(real(b.min) * factor));
    b.max = static_cast<std::int64_t>(std::ceil(real(b.max) * factor));
    b.squares *= factor * factor;
  }
  assign(std::move(all));
}

void Histogram::assign(std::vector<Bin> bins) {
  bins_.clear();
  for (const Bin& b : bins) {
    Range& r = bins_.emplace_back();
    static_cast<Bin&>(r) = b;
    limit_spread(r);
    if (bins_.size() > 1) bins_[bins_.size() - 2].end = b.min;
    r.end = kNoEnd;
  }
  for (Range& r : bins_) plan_check(r);
}

void Histogram::encode(ByteWriter& out) const {
  const std::vector<Bin> all = bins();
  out.varint(all.size());
  std::int64_t before = 0;
  for (const Bin& b : all) {
    out.varint(b.count);
    out.signed_varint(b.min - before);
    out.varint(static_cast<std::uint64_t>(b.max - b.min));
    out.varint(static_cast<std::uint64_t>(b.sum) - b.count * static_cast<std::uint64_t>(b.min));
    out.varint(static_cast<std::uint64_t>(rounded(b.deviation())));
    before = b.max;
  }
}

Histogram Histogram::decode(ByteReader& in) {
  std::vector<Bin> all(in.count(5));
  if (all.size() > kMaxBins) in.fail("too many bins");
  std::int64_t before = 0;
  for (Bin& b : all) {
    if (in.failed()) return Histogram();
    b.count = in.varint();
    b.min = before + in.signed_varint();
    const std::uint64_t width = in.varint(), above = in.varint();
    const double deviation = real(in.varint());
    constexpr double kMost = 0x1p62;  // beyond it, sums would overflow
    const double n = real(b.count), low = std::abs(real(b.min)), span = real(width);
    if (b.count == 0 || span > kMost || (low + span) * n > kMost || deviation > span ||
        real(above) > span * n * (1 + 1e-12)) {
      return in.fail("an impossible bin"), Histogram();
    }
    b.max = b.min + static_cast<std::int64_t>(width);
    b.sum = static_cast<std::int64_t>(b.count) * b.min + static_cast<std::int64_t>(above);
    b.squares = deviation * deviation * real(b.count);
    before = b.max;
  }
  Histogram out(std::max<std::size_t>(1, all.size()));
  if (!all.empty()) out.assign(std::move(all));
  return out;
}

}  // namespace reprise::trace
