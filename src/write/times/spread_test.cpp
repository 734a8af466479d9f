#include "write/times/spread.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace reprise::write::times {
namespace {

// `n` values around 1000 [ns], evenly, up to `width` away from it.
trace::Histogram even(int n, double width) {
  trace::Histogram h(5);
  for (int i = 0; i < n; ++i)
    h.add(static_cast<std::int64_t>(1000 + width * (2 * ((i * 37) % n + 0.5) / n - 1)));
  return h;
}

// What a program reads: executions, the shortest, and ranges.
double mean_of(const std::vector<std::int64_t>& all) {
  const std::vector<double> table(all.begin(), all.end());
  double sum = 0, begin = table[1];
  for (std::size_t i = 2; i < table.size(); i += 2) {
    sum += table[i] * (begin + table[i + 1]) / 2;
    begin = table[i + 1];
  }
  return sum / table[0];
}

TEST(Spread, KeepsTheMeanAndTheEnds) {
  const Spread spread(even(1000, 100));
  const std::vector<std::int64_t> table = spread.table();
  std::int64_t executions = 0;
  for (std::size_t i = 2; i < table.size(); i += 2) executions += table[i];
  EXPECT_EQ(executions, table[0]);
  EXPECT_NEAR(mean_of(table), 1e4, 20);
  EXPECT_NEAR(spread.quantile(0), 0.9, 0.005);
  EXPECT_NEAR(spread.quantile(1), 1.1, 0.005);
  EXPECT_NEAR(spread.quantile(0.5), 1, 0.02);
}

// Of a million executions a few hundred take a third of the time.
TEST(Spread, KeepsWhatIsRareAndLong) {
  trace::Histogram h(5);
  for (int i = 0; i < 999600; ++i) h.add(1000);
  for (int i = 0; i < 400; ++i) h.add(1000000);
  EXPECT_NEAR(mean_of(Spread(h).table()), 1e4, 20);
}

TEST(Spread, KeepsAGap) {
  trace::Histogram h(5);
  for (int i = 0; i < 90; ++i) h.add(95 + i % 10);
  for (int i = 0; i < 10; ++i) h.add(995 + i);
  const Spread spread(h);
  EXPECT_NEAR(spread.quantile(0.85), 0.55, 0.05);
  EXPECT_NEAR(spread.quantile(0.95), 5.3, 0.1);
}

TEST(Spread, ShrinksTowardsTheMean) {
  const Spread spread(even(1000, 100), 0.5);
  EXPECT_NEAR(spread.quantile(0), 0.95, 0.003);
  EXPECT_NEAR(spread.quantile(1), 1.05, 0.003);
}

TEST(Spread, IsTheSameOfAnotherSample) {
  EXPECT_TRUE(Spread(even(1000, 100)).resembles(Spread(even(200, 100))));
  EXPECT_FALSE(Spread(even(1000, 100)).resembles(Spread(even(1000, 200))));
}

}  // namespace
}  // namespace reprise::write::times
