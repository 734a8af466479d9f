#include "trace/times/histogram.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "trace/series/series.hpp"

namespace reprise::trace {
namespace {

constexpr std::int64_t kNoEnd = std::numeric_limits<std::int64_t>::max();
constexpr double kSpreadSteps = 8;  // of deviations, for a factor of two

// A bin as up to four narrower ones, two on each side. Bins of different histograms overlap; their
// pieces hardly do, so that edges between them leave the values where they were.
void append_pieces(std::vector<Bin>& out, const Bin& whole) {
  const BinSides sides(whole);
  if (sides.below + sides.above < 1) return out.push_back(whole);
  struct Piece {
    double offset;  // of its mean from that of all [ns]
    double width;
    std::uint64_t count;
  };
  // Ascending.
  std::array<Piece, 4> all;
  std::size_t pieces_made = 0;
  const std::uint64_t lower = whole.count - sides.upper;
  const auto put = [&](double offset, double width, std::uint64_t count) {
    all[pieces_made++] = {offset, width, count};
  };
  if (lower > 1) {
    put(-0.75 * sides.below, sides.below / 2, lower - lower / 2);
    put(-0.25 * sides.below, sides.below / 2, lower / 2);
  } else {
    put(-0.5 * sides.below, sides.below, lower);
  }
  if (sides.upper > 1) {
    put(0.25 * sides.above, sides.above / 2, sides.upper / 2);
    put(0.75 * sides.above, sides.above / 2, sides.upper - sides.upper / 2);
  } else {
    put(0.5 * sides.above, sides.above, sides.upper);
  }
  const std::span<const Piece> pieces(all.data(), pieces_made);
  double squares = 0;
  for (const Piece& p : pieces) {
    const double within = p.count > 1 ? p.width * p.width / 12 : 0;
    squares += real(p.count) * (p.offset * p.offset + within);
  }
  // Single values have no width, which would be missing.
  const double stretch = std::sqrt(whole.squares / squares);
  Bin left = whole;
  for (const Piece& p : pieces) {
    Bin& piece = out.emplace_back();
    const double half = stretch * p.width / 2;
    piece.count = p.count;
    left.count -= p.count;
    // As far as what is left can lie in the range as well.
    const auto rest = static_cast<std::int64_t>(left.count), n = static_cast<std::int64_t>(p.count);
    const std::int64_t least = std::max(n * whole.min, left.sum - rest * whole.max);
    const std::int64_t most = std::min(n * whole.max, left.sum - rest * whole.min);
    const std::int64_t sum = rounded(real(p.count) * (whole.mean() + stretch * p.offset));
    piece.sum = std::clamp(sum, least, most);
    left.sum -= piece.sum;
    piece.min = std::max(whole.min, static_cast<std::int64_t>(std::floor(piece.mean() - half)));
    piece.max = std::min(whole.max, static_cast<std::int64_t>(std::ceil(piece.mean() + half)));
    piece.squares = p.count > 1 ? real(p.count) * half * half / 3 : 0;
  }
  out[out.size() - pieces.size()].min = whole.min;
  out.back().max = whole.max;
}

// Joins neighbors until at most `limit` are left. Costs are kept beside the bins, since joining
// changes but two of them.
void reduce(std::vector<Bin>& bins, std::size_t limit) {
  if (bins.size() <= limit) return;
  std::vector<double> costs;
  for (std::size_t i = 0; i + 1 < bins.size(); ++i) {
    costs.push_back(cost_of_joining(bins[i], bins[i + 1]));
  }
  while (bins.size() > limit) {
    const auto cheapest = std::ranges::min_element(costs);
    const auto i = static_cast<std::size_t>(cheapest - costs.begin());
    bins[i].add(bins[i + 1]);
    bins.erase(bins.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    costs.erase(cheapest);
    if (i > 0) costs[i - 1] = cost_of_joining(bins[i - 1], bins[i]);
    if (i < costs.size()) costs[i] = cost_of_joining(bins[i], bins[i + 1]);
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

// The deviation of a bin as a share of its width, in steps down; 0: none.
std::uint8_t spread_of(const Bin& b) {
  const double deviation = b.deviation();
  if (deviation <= 0) return 0;
  const double steps = kSpreadSteps * std::log2((real(b.max) - real(b.min)) / deviation);
  return static_cast<std::uint8_t>(1 + std::lround(std::clamp(steps, 0.0, 254.0)));
}

}  // namespace

void Histogram::add(std::int64_t value) {
  std::size_t i = 0;
  while (i + 1 < bins_.size() && value >= bins_[i].end) ++i;
  const bool is_extreme = bins_.empty() || value < bins_.front().min || value > bins_.back().max;
  const bool has_room = bins_.size() < limit_;
  if (is_extreme || (has_room && (value < bins_[i].min || value > bins_[i].max)))
    return insert(value);
  Range& range = bins_[i];
  range.Bin::add(value);
  if (range.count >= range.check) rebalance();
}

// A bin of its own for a value that lies in none; if these are too many, the two neighbors that
// lie closest become one, of which it may be one.
void Histogram::insert(std::int64_t value) {
  auto at = bins_.begin();
  while (at != bins_.end() && at->max < value) ++at;
  at = bins_.emplace(at);
  at->Bin::add(value);
  at->end = kNoEnd;
  if (at + 1 != bins_.end()) at->end = std::midpoint(value, (at + 1)->min) + 1;
  if (at != bins_.begin()) (at - 1)->end = std::midpoint((at - 1)->max, value) + 1;
  plan_check(*at);
  if (bins_.size() <= limit_) return;
  std::size_t best = 0;
  double least = cost_of_joining(bins_[0], bins_[1]);
  for (std::size_t i = 1; i + 1 < bins_.size(); ++i) {
    const double cost = cost_of_joining(bins_[i], bins_[i + 1]);
    if (cost >= least) continue;
    least = cost;
    best = i;
  }
  join(best);
}

void Histogram::join(std::size_t first) {
  Range &a = bins_[first], &b = bins_[first + 1];
  a.Bin::add(b);
  a.end = b.end;
  plan_check(a);
  bins_.erase(bins_.begin() + static_cast<std::ptrdiff_t>(first) + 1);
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

double Histogram::mean() const {
  std::uint64_t count = 0;
  std::int64_t sum = 0;
  for (const Range& r : bins_) {
    count += r.count;
    sum += r.sum;
  }
  return count == 0 ? 0 : real(sum) / real(count);
}

void Histogram::merge(const Histogram& other) {
  limit_ = std::max(limit_, other.limit_);
  if (other.empty()) return;
  if (empty()) return assign(other.bins());
  std::vector<Bin> all;
  all.reserve(4 * (bins_.size() + other.bins_.size()));
  for (const Histogram* h : {static_cast<const Histogram*>(this), &other}) {
    for (const Range& r : h->bins_) {
      if (r.count > 0) append_pieces(all, r);
    }
  }
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
  std::vector<Bin> all(in.count_of<Bin>(5));
  if (all.size() > kMaxBins) in.fail("too many bins");
  if (!in.affords<Range>(all.size())) return Histogram();
  std::int64_t before = 0;
  for (Bin& b : all) {
    if (in.failed()) return Histogram();
    b.count = in.varint();
    b.min = wrapping_add(before, in.signed_varint());
    const std::uint64_t width = in.varint(), above = in.varint();
    const double deviation = real(in.varint());
    const double n = real(b.count), low = std::abs(real(b.min)), span = real(width);
    if (b.count == 0 || span > kMostTime || (low + span) * n > kMostTime || deviation > span ||
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

void Histogram::join_if(const std::function<bool(const Bin&, const Bin&)>& is_alike) {
  std::vector<Bin> all = bins();
  for (;;) {
    std::size_t best = all.size();
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i + 1 < all.size(); ++i) {
      const double cost = cost_of_joining(all[i], all[i + 1]);
      if (cost >= least || !is_alike(all[i], all[i + 1])) continue;
      least = cost;
      best = i;
    }
    if (best == all.size()) break;
    all[best].add(all[best + 1]);
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(best) + 1);
  }
  assign(std::move(all));
}

void Histogram::round(Rounding rounding) {
  ByteWriter out;
  encode(out, rounding, false);
  ByteReader in(out.bytes().data(), out.size());
  std::uint64_t left = total().count;
  *this = decode(in, rounding, false, left);
}

void Histogram::encode(ByteWriter& out, Rounding rounding, bool is_last) const {
  if (rounding.is_exact()) return encode(out);
  const std::vector<Bin> all = bins();
  out.varint(all.size());
  std::int64_t before = 0;
  for (const Bin& b : all) {
    if (!is_last || &b != &all.back()) out.varint(b.count);
    const std::int64_t min = rounding.number(b.min), max = rounding.number(b.max);
    const std::int64_t mean = rounding.number(std::clamp(rounded(b.mean()), b.min, b.max));
    out.signed_varint(min - before);
    out.varint(static_cast<std::uint64_t>(mean - min));
    out.varint(static_cast<std::uint64_t>(max - mean));
    if (max > min) out.byte(spread_of(b));
    before = max;
  }
}

Histogram Histogram::decode(ByteReader& in, Rounding rounding, bool is_last, std::uint64_t& left) {
  if (rounding.is_exact()) return decode(in);
  std::vector<Bin> all(in.count_of<Bin>(3));
  if (all.size() > kMaxBins) in.fail("too many bins");
  std::int64_t before = 0;
  for (Bin& b : all) {
    if (in.failed()) return Histogram();
    const bool is_rest = is_last && &b == &all.back();
    b.count = is_rest ? left : in.varint();
    const std::int64_t min = wrapping_add(before, in.signed_varint());
    const std::int64_t mean = wrapping_add(min, static_cast<std::int64_t>(in.varint()));
    const std::int64_t max = wrapping_add(mean, static_cast<std::int64_t>(in.varint()));
    const std::uint8_t spread = max > min ? in.byte() : 0;
    b.min = rounding.value(min);
    b.max = rounding.value(max);
    const double most = std::max(std::abs(real(b.min)), std::abs(real(b.max)));
    if (b.count == 0 || b.count > left || min > mean || mean > max ||
        most * real(b.count) > kMostTime) {
      return in.fail("an impossible bin"), Histogram();
    }
    left -= b.count;
    b.sum = static_cast<std::int64_t>(b.count) * rounding.value(mean);
    const double deviation =
        spread == 0 ? 0 : (real(b.max) - real(b.min)) * std::exp2((1 - spread) / kSpreadSteps);
    b.squares = deviation * deviation * real(b.count);
    before = max;
  }
  Histogram out(std::max<std::size_t>(1, all.size()));
  if (!all.empty()) out.assign(std::move(all));
  return out;
}

}  // namespace reprise::trace
