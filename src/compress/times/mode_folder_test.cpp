#include "compress/times/mode_folder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace reprise::compress {
namespace {

ModeFolder folded(const std::vector<std::int64_t>& values) {
  ModeFolder folder(5, trace::Histogram::kDefaultSmoothing, 1);
  for (const std::int64_t v : values) folder.add(v);
  return folder;
}

// `n` values of about 100 us times the factors, in turns.
std::vector<std::int64_t> in_turns(const std::vector<double>& factors, std::size_t n) {
  std::mt19937_64 random(11);
  std::normal_distribution<double> noise(1.0, 0.05);
  std::vector<std::int64_t> out;
  for (std::size_t i = 0; i < n; ++i) {
    out.push_back(static_cast<std::int64_t>(1e5 * factors[i % factors.size()] * noise(random)));
  }
  return out;
}

TEST(ModeFolder, LevelsInTurnsAreModes) {
  ModeFolder folder = folded(in_turns({8, 4, 2, 1, 2, 4}, 6000));
  const std::vector<FoldedMode> modes = folder.modes();
  ASSERT_EQ(modes.size(), 4u);
  const trace::Series mode_of = folder.mode_of();
  const std::vector<std::int64_t> pattern{0, 1, 2, 3, 2, 1};
  for (std::uint64_t k = 0; k < 6000; ++k) ASSERT_EQ(mode_of.at(k), pattern[k % 6]);
  EXPECT_EQ(modes[0].times.total().count, 1000u);
  EXPECT_EQ(modes[1].times.total().count, 2000u);
  EXPECT_NEAR(modes[3].times.total().mean(), 1e5, 2e3);
  EXPECT_LE(mode_of.terms().size(), 6u);
}

TEST(ModeFolder, NoiseIsOneMode) {
  ModeFolder folder = folded(in_turns({1}, 10000));
  EXPECT_EQ(folder.modes().size(), 1u);
  EXPECT_EQ(folder.mode_of(), trace::Series::constant(0));
}

TEST(ModeFolder, WhatHasNoPatternIsOneMode) {
  std::mt19937_64 random(5);
  std::vector<std::int64_t> values;
  for (int i = 0; i < 10000; ++i) values.push_back(random() % 10 == 0 ? 900000 : 100000);
  ModeFolder folder = folded(values);
  ASSERT_EQ(folder.modes().size(), 1u);
  EXPECT_EQ(folder.modes()[0].times.total().count, 10000u);
  EXPECT_EQ(folder.whole().times.total().count, 10000u);
}

TEST(ModeFolder, MoreModesThanAreKeptAreOne) {
  std::vector<double> factors;
  for (int i = 0; i < 20; ++i) factors.push_back(1 << i);
  const std::vector<std::int64_t> values = in_turns(factors, 2000);
  ModeFolder folder = folded(values);
  EXPECT_EQ(folder.modes().size(), 1u);
  EXPECT_EQ(folder.whole().times.total().max, std::ranges::max(values));
}

// Shorter and longer ones in turns, by clocks of so many ticks per nanosecond.
TEST(ModeFolder, ModesAreApartByWhatAClockTellsApart) {
  for (const double ticks_per_ns : {0.1, 1.0, 3.0}) {
    const auto modes_apart = [ticks_per_ns](double ns) {
      ModeFolder folder(5, trace::Histogram::kDefaultSmoothing, ticks_per_ns);
      for (int i = 0; i < 100; ++i)
        folder.add(static_cast<std::int64_t>((100 + ns * (i % 2)) * ticks_per_ns));
      return folder.modes().size();
    };
    EXPECT_EQ(modes_apart(900), 1u) << ticks_per_ns;
    EXPECT_EQ(modes_apart(1200), 2u) << ticks_per_ns;
  }
}

TEST(ModeFolder, WholeIsAllModes) {
  const std::vector<std::int64_t> values = in_turns({1, 9}, 1001);
  const trace::Bin all = folded(values).whole().times.total();
  std::int64_t sum = 0;
  for (const std::int64_t v : values) sum += v;
  EXPECT_EQ(all.count, 1001u);
  EXPECT_EQ(all.sum, sum);
}

}  // namespace
}  // namespace reprise::compress
