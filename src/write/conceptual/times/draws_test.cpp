#include "write/conceptual/times/draws.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "trace/times/histogram.hpp"

namespace reprise::write::conceptual {
namespace {

// Of which every `rare`-th execution takes `long_ns`, the others 90 to 110 ns.
times::Spread spread_of(std::int64_t rare, std::int64_t long_ns) {
  trace::Histogram h(5);
  for (std::int64_t k = 0; k < 1000; ++k)
    h.add(rare > 0 && k % rare == 0 ? long_ns : 90 + k * 8 % 21);
  return times::Spread(h);
}

// Of the executions of a task before one of them.
double mean(const Draw& draw, Draw::Execution end) {
  std::int64_t sum = 0;
  for (std::uint64_t k = 0; k < end.number; ++k) sum += draw.at({k, end.task});
  return static_cast<double>(sum) / static_cast<double>(end.number) / kDrawUnit;
}

TEST(Draws, EachExecutionOfATaskHasAnotherPlace) {
  for (const std::uint64_t n : {4, 10, 97, 360}) {
    const auto draw = draw_of(spread_of(0, 0), std::vector<std::uint64_t>(16, n), 0, false);
    ASSERT_TRUE(draw);
    for (std::uint64_t task = 0; task < 16; ++task) {
      std::set<std::int64_t> drawn;
      for (std::uint64_t k = 0; k < n; ++k) drawn.insert(draw->at({k, task}));
      EXPECT_EQ(drawn.size(), n);
      EXPECT_NEAR(mean(*draw, {n, task}), 1, 1e-5);
    }
  }
}

TEST(Draws, MeansOfTasksWithOtherNumbersOfExecutionsAreKept) {
  const std::vector<std::uint64_t> counts = {2000, 0, 1500, 5000};
  for (std::size_t number = 0; number < 10; ++number) {
    const auto draw = draw_of(spread_of(20, 1000), counts, number, false);
    ASSERT_TRUE(draw);
    for (const std::size_t task : {0, 2, 3})
      EXPECT_NEAR(mean(*draw, {counts[task], task}), 1, 0.02);
  }
}

TEST(Draws, PlacesAreThoseOfTheTaskWithMostExecutions) {
  const auto draw = draw_of(spread_of(0, 0), {60, 72, 0}, 0, false);
  ASSERT_TRUE(draw);
  EXPECT_EQ(draw->places, 72);
  EXPECT_NEAR(mean(*draw, {72, 1}), 1, 1e-5);
  EXPECT_NEAR(mean(*draw, {60, 0}), 1, 0.05);
}

TEST(Draws, WhatIsRareAndLongStaysRareAndLong) {
  const auto draw = draw_of(spread_of(20, 1000), {1000, 1000}, 0, false);
  ASSERT_TRUE(draw);
  std::int64_t longest = 0;
  std::size_t long_ones = 0;
  for (std::uint64_t k = 0; k < 1000; ++k) {
    longest = std::max(longest, draw->at({k, 0}));
    if (draw->at({k, 0}) > 2 * kDrawUnit) ++long_ones;
  }
  EXPECT_GT(longest, 6 * kDrawUnit);
  EXPECT_LE(long_ones, 100u);
}

TEST(Draws, WhatIsWeakenedKeepsItsMean) {
  const auto draw = draw_of(spread_of(20, 1000), {100}, 0, false);
  ASSERT_TRUE(draw);
  const Draw half = draw->weakened(0.5);
  EXPECT_NEAR(mean(half, {100, 0}), 1, 1e-4);
  for (std::uint64_t k = 0; k < 100; ++k) {
    const double whole = static_cast<double>(draw->at({k, 0}) - kDrawUnit);
    EXPECT_NEAR(static_cast<double>(half.at({k, 0}) - kDrawUnit), whole / 2, 100);
  }
}

TEST(Draws, LongExecutionsCoincideWhereTheyDid) {
  const auto draw = draw_of(spread_of(20, 1000), {100, 100}, 0, true);
  ASSERT_TRUE(draw);
  for (std::uint64_t k = 0; k < 100; ++k) EXPECT_EQ(draw->at({k, 0}), draw->at({k, 1}));
}

TEST(Draws, WhatDoesNotVaryOrIsRareIsNotDrawn) {
  trace::Histogram same(5);
  for (int k = 0; k < 10; ++k) same.add(100);
  EXPECT_FALSE(draw_of(times::Spread(same), {10, 10}, 0, false));
  EXPECT_FALSE(draw_of(spread_of(0, 0), {1, 2}, 0, false));
}

}  // namespace
}  // namespace reprise::write::conceptual
