#include "trace/times/make_histogram.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdlib>
#include <limits>

namespace reprise::trace {
namespace {

TEST(MakeHistogram, KeepsBinsThatFit) {
  const std::vector<Bin> bins = {
      {.count = 3, .sum = 30, .min = 8, .max = 12, .squares = 3},
      {.count = 2, .sum = 100, .min = 40, .max = 60, .squares = 2 * 49.0}};
  const Histogram h = make_histogram(bins);
  ASSERT_EQ(h.bins().size(), 2u);
  EXPECT_EQ(h.bins()[0].min, 8);
  EXPECT_EQ(h.bins()[0].max, 12);
  EXPECT_EQ(h.bins()[1].sum, 100);
  EXPECT_NEAR(h.bins()[1].deviation(), 7, 1e-9);
}

TEST(MakeHistogram, LeavesEmptyBinsOut) {
  EXPECT_TRUE(make_histogram({}).empty());
  EXPECT_TRUE(make_histogram({Bin{}}).empty());
}

// Whatever the numbers are, count and sum stay, and the bins are in order.
RC_GTEST_PROP(MakeHistogram, MakesAHistogramOfAnything, ()) {
  const auto count = *rc::gen::inRange<std::size_t>(1, 8);
  std::vector<Bin> bins(count);
  std::uint64_t values = 0;
  std::int64_t sum = 0;
  for (Bin& b : bins) {
    b.count = *rc::gen::inRange<std::uint64_t>(0, 50);
    b.sum = b.count == 0 ? 0 : *rc::gen::inRange<std::int64_t>(0, 100'000);
    b.min = *rc::gen::inRange<std::int64_t>(-10, 4000);
    b.max = *rc::gen::inRange<std::int64_t>(-10, 4000);
    b.squares = *rc::gen::inRange(0, 1'000'000);
    values += b.count;
    sum += b.sum;
  }
  const Histogram h = make_histogram(bins);
  RC_ASSERT(h.total().count == values);
  RC_ASSERT(h.total().sum == sum);
  const std::vector<Bin> made = h.bins();
  for (std::size_t i = 0; i < made.size(); ++i) {
    const auto n = static_cast<std::int64_t>(made[i].count);
    RC_ASSERT(made[i].min * n <= made[i].sum && made[i].sum <= made[i].max * n);
    RC_ASSERT(i == 0 || made[i - 1].max <= made[i].min);
  }
}

// As a law says it that holds no longer: ranges and deviations beyond what a file may hold.
TEST(MakeHistogram, BoundsWhatNoFileHolds) {
  constexpr std::int64_t kSum = std::int64_t{1} << 61;
  constexpr std::uint64_t kCount = std::uint64_t{1} << 60;
  const double none = std::numeric_limits<double>::quiet_NaN();
  for (const std::uint64_t count :
       {std::uint64_t{1}, std::uint64_t{3}, std::uint64_t{1000}, kCount}) {
    for (const std::int64_t sum : {std::int64_t{0}, std::int64_t{12345}, kSum}) {
      for (const double squares : {0.0, 1e300, none}) {
        const Histogram h = make_histogram(
            {{.count = count, .sum = sum, .min = -kSum, .max = kSum, .squares = squares}});
        EXPECT_EQ(h.total().count, count);
        EXPECT_EQ(h.total().sum, sum);
        EXPECT_GE(h.total().min, 0);
      }
    }
  }
}

}  // namespace
}  // namespace reprise::trace
