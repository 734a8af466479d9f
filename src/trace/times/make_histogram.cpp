#include "trace/times/make_histogram.hpp"

#include <algorithm>
#include <cmath>

#include "base/contract.hpp"

namespace reprise::trace {
namespace {

std::int64_t floor_of_mean(const Bin& b) { return b.sum / static_cast<std::int64_t>(b.count); }

std::int64_t ceiling_of_mean(const Bin& b) {
  const auto n = static_cast<std::int64_t>(b.count);
  return b.sum / n + (b.sum % n != 0 ? 1 : 0);
}

// The widest deviation of values in [min, max] with this mean (Bhatia and Davis 2000).
double most_squares(const Bin& b) {
  const double below = b.mean() - static_cast<double>(b.min);
  const double above = static_cast<double>(b.max) - b.mean();
  return std::max(0.0, below * above) * static_cast<double>(b.count);
}

// The longest time that so many values may all have taken: half of the most that a bin holds, which
// no rounding exceeds.
std::int64_t longest(std::uint64_t count) {
  return static_cast<std::int64_t>(Histogram::kMostTime / 2 / static_cast<double>(count));
}

// Bins with values, ascending; those with an integer between their means or at one of them.
std::vector<Bin> apart(std::vector<Bin> bins) {
  std::erase_if(bins, [](const Bin& b) { return b.count == 0; });
  std::ranges::stable_sort(bins, {}, &Bin::mean);
  std::vector<Bin> out;
  for (const Bin& b : bins) {
    if (out.empty() || ceiling_of_mean(out.back()) <= floor_of_mean(b)) {
      out.push_back(b);
    } else {
      out.back().add(b);
    }
  }
  return out;
}

}  // namespace

Histogram make_histogram(std::vector<Bin> given) {
  std::vector<Bin> bins = apart(std::move(given));
  for (std::size_t i = 0; i < bins.size(); ++i) {
    Bin& b = bins[i];
    b.min = std::clamp<std::int64_t>(b.min, 0, floor_of_mean(b));
    if (i > 0) b.min = std::max(b.min, bins[i - 1].max);
    b.max = std::max(std::min(b.max, longest(b.count)), ceiling_of_mean(b));
    // Up to the mean of the next at most, which has an end of its own to begin at.
    if (i + 1 < bins.size()) b.max = std::min(b.max, floor_of_mean(bins[i + 1]));
    // The other way round, what is no number would stay.
    b.squares = std::min(most_squares(b), b.squares);
  }
  // Through the codec (histogram.hpp has the grammar): the one way into a histogram but for single
  // values.
  ByteWriter out;
  out.varint(bins.size());
  std::int64_t before = 0;
  for (const Bin& b : bins) {
    out.varint(b.count);
    out.signed_varint(b.min - before);
    out.varint(static_cast<std::uint64_t>(b.max - b.min));
    out.varint(static_cast<std::uint64_t>(b.sum) - b.count * static_cast<std::uint64_t>(b.min));
    out.varint(static_cast<std::uint64_t>(std::floor(b.deviation())));
    before = b.max;
  }
  ByteReader in(out.bytes().data(), out.size());
  Histogram made = Histogram::decode(in);
  REPRISE_REQUIRE(!in.failed());
  return made;
}

}  // namespace reprise::trace
