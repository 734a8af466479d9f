#include "trace/times/histogram.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <numeric>
#include <random>

namespace reprise::trace {
namespace {

using Values = std::vector<std::int64_t>;

// Durations of several kinds.
enum class Kind : std::uint8_t { alike, spread, bimodal, with_outliers };

rc::Gen<Kind> any_kind() {
  return rc::gen::element(Kind::alike, Kind::spread, Kind::bimodal, Kind::with_outliers);
}

Values durations(std::size_t n, Kind kind, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> noise(1.0, 0.05);
  std::exponential_distribution<double> tail(1.0);
  Values out;
  for (std::size_t i = 0; i < n; ++i) {
    const double unit = kind == Kind::alike     ? 1.0
                        : kind == Kind::spread  ? noise(random)
                        : kind == Kind::bimodal ? noise(random) * (random() % 10 == 0 ? 9.0 : 1.0)
                                                : tail(random);
    out.push_back(static_cast<std::int64_t>(std::max(0.0, 1e6 * unit)));
  }
  return out;
}

Histogram histogram_of(const Values& values, std::size_t bins) {
  Histogram h(bins);
  for (const std::int64_t v : values) h.add(v);
  return h;
}

void check_exact(const Histogram& h, const Values& values) {
  const Bin total = h.total();
  RC_ASSERT(total.count == values.size());
  RC_ASSERT(total.sum == std::accumulate(values.begin(), values.end(), std::int64_t{0}));
  RC_ASSERT(total.min == std::ranges::min(values));
  RC_ASSERT(total.max == std::ranges::max(values));
}

void check_bins(const Histogram& h, std::size_t limit) {
  const std::vector<Bin> bins = h.bins();
  RC_ASSERT(!bins.empty());
  RC_ASSERT(bins.size() <= limit);
  for (std::size_t i = 0; i < bins.size(); ++i) {
    RC_ASSERT(static_cast<double>(bins[i].min) <= bins[i].mean());
    RC_ASSERT(bins[i].mean() <= static_cast<double>(bins[i].max));
    RC_ASSERT(bins[i].deviation() <= static_cast<double>(bins[i].max - bins[i].min));
    if (i > 0) RC_ASSERT(bins[i - 1].max <= bins[i].min);
  }
}

RC_GTEST_PROP(Histogram, CountSumMinimumAndMaximumAreExactInAnyOrderOfMerging, ()) {
  const auto bins = *rc::gen::inRange<std::size_t>(1, 12);
  const auto parts = *rc::gen::inRange<std::size_t>(1, 9);
  Values all;
  std::vector<Histogram> left;
  // Nothing is divided by nothing: bins without values would have no place among the others.
  std::feclearexcept(FE_ALL_EXCEPT);
  for (std::size_t p = 0; p < parts; ++p) {
    const Values values = durations(*rc::gen::inRange<std::size_t>(1, 600), *any_kind(),
                                    *rc::gen::arbitrary<std::uint64_t>());
    left.push_back(histogram_of(values, bins));
    check_exact(left.back(), values);
    check_bins(left.back(), bins);
    all.insert(all.end(), values.begin(), values.end());
  }
  while (left.size() > 1) {
    const auto i = *rc::gen::inRange<std::size_t>(0, left.size() - 1);
    left[i].merge(left[i + 1]);
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    ByteWriter out;
    left[i].encode(out);
    ByteReader in(out.bytes().data(), out.size());
    left[i] = Histogram::decode(in);
    RC_ASSERT(std::fetestexcept(FE_INVALID | FE_DIVBYZERO) == 0);
    RC_ASSERT(!in.failed());
  }
  check_exact(left.front(), all);
  check_bins(left.front(), bins);
}

RC_GTEST_PROP(Histogram, ReadsBackWhatWasWritten, ()) {
  const Values values = durations(*rc::gen::inRange<std::size_t>(1, 600), *any_kind(),
                                  *rc::gen::arbitrary<std::uint64_t>());
  const Histogram h = histogram_of(values, 5);
  ByteWriter out;
  h.encode(out);
  ByteReader in(out.bytes().data(), out.size());
  const Histogram back = Histogram::decode(in);
  RC_ASSERT(!in.failed());
  RC_ASSERT(in.at_end());
  check_exact(back, values);
  const std::vector<Bin> before = h.bins(), after = back.bins();
  RC_ASSERT(before.size() == after.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    RC_ASSERT(before[i].count == after[i].count);
    RC_ASSERT(std::abs(before[i].deviation() - after[i].deviation()) <= 0.5 + 1e-6);
  }
}

// The whole point of balancing: no bin holds most of the values, whatever their distribution.
// Splits leave such bins: of one value all that is known is a range.
TEST(Histogram, ASingleValueInARangeStaysOne) {
  ByteWriter out;
  out.varint(1);         // bin
  out.varint(1);         // value
  out.signed_varint(0);  // the least
  out.varint(100);       // how far the range goes
  out.varint(40);        // the sum
  out.varint(30);        // deviation
  ByteReader in(out.bytes().data(), out.size());
  Histogram single = Histogram::decode(in);
  ASSERT_FALSE(in.failed());
  Histogram many(4);
  for (const std::int64_t value : {3, 50, 51, 90, 91, 92}) many.add(value);
  std::feclearexcept(FE_ALL_EXCEPT);
  many.merge(single);
  many.merge(single);
  EXPECT_EQ(std::fetestexcept(FE_INVALID | FE_DIVBYZERO), 0);
  EXPECT_EQ(many.total().count, 8u);
  EXPECT_EQ(many.total().sum, 377 + 80);
  EXPECT_EQ(many.total().min, 0);
  EXPECT_EQ(many.total().max, 100);
  for (const Bin& b : many.bins()) EXPECT_GT(b.count, 0u);
}

TEST(Histogram, BinsAreBalanced) {
  for (const Kind kind : {Kind::spread, Kind::bimodal, Kind::with_outliers}) {
    const Histogram h = histogram_of(durations(1'000'000, kind, 7), 5);
    std::uint64_t fullest = 0;
    for (const Bin& b : h.bins()) fullest = std::max(fullest, b.count);
    EXPECT_LE(fullest, 500'000u) << "kind " << static_cast<int>(kind);
  }
}

TEST(Histogram, EqualValuesShareOneBin) {
  const Histogram h = histogram_of(Values(100'000, 12345), 5);
  ASSERT_EQ(h.bins().size(), 1u);
  EXPECT_EQ(h.bins()[0].deviation(), 0);
}

TEST(Histogram, TheDeviationOfOneBinIsThatOfItsValues) {
  const Values values{2, 4, 4, 4, 5, 5, 7, 9};
  EXPECT_NEAR(histogram_of(values, 1).total().deviation(), 2.0, 1e-12);
}

double deviation_of(const Values& values) {
  const double n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (const std::int64_t v : values) {
    squares += (static_cast<double>(v) - mean) * (static_cast<double>(v) - mean);
  }
  return std::sqrt(squares / n);
}

// What bins have lost in splits and merges would be missing in a replay: ranks that vary less wait
// less.
TEST(Histogram, TheDeviationOfAllIsThatOfTheValues) {
  for (const Kind kind : {Kind::spread, Kind::bimodal, Kind::with_outliers}) {
    for (const std::size_t n : {20u, 100u, 1000u}) {
      Values values;
      Histogram merged(5);
      for (std::uint64_t rank = 0; rank < 64; ++rank) {
        const Values own = durations(n, kind, rank);
        merged.merge(histogram_of(own, 5));
        values.insert(values.end(), own.begin(), own.end());
      }
      const double real = deviation_of(values);
      EXPECT_NEAR(merged.total().deviation() / real, 1, 0.1)
          << "kind " << static_cast<int>(kind) << ", " << n;
      EXPECT_NEAR(histogram_of(values, 5).total().deviation() / real, 1, 0.1)
          << "kind " << static_cast<int>(kind) << ", " << n;
    }
  }
}

// Values ten times as long, one time in ten: the long ones stay apart when many are merged.
TEST(Histogram, ModesStayApart) {
  Histogram all(5);
  for (std::uint64_t rank = 0; rank < 64; ++rank) {
    all.merge(histogram_of(durations(1000, Kind::bimodal, rank), 5));
  }
  std::uint64_t slow = 0;
  for (const Bin& b : all.bins()) {
    if (b.mean() > 5e6) slow += b.count;
  }
  EXPECT_NEAR(static_cast<double>(slow), 6400, 640);
}

RC_GTEST_PROP(Histogram, DamageIsRefusedOrKeepsTheBinsInOrder, ()) {
  const auto bytes = *rc::gen::arbitrary<std::vector<std::uint8_t>>();
  ByteReader in(bytes.data(), bytes.size());
  const Histogram h = Histogram::decode(in);
  if (!in.failed() && !h.empty()) RC_ASSERT(h.total().count > 0);
}

}  // namespace
}  // namespace reprise::trace
