#include "extrapolate/times/rank_profile.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "base/hash.hpp"

namespace reprise::extrapolate {
namespace {

using Rule = RankProfile::Rule;

// A run in which rank r takes `time(r, ranks)` for each of ten executions.
struct TestRun {
  TestRun(std::size_t ranks, const std::function<double(std::size_t, std::size_t)>& time)
      : counts(ranks, 10) {
    for (std::size_t r = 0; r < ranks; ++r) {
      sums.push_back(10 * time(r, ranks));
      parts.push_back({static_cast<std::uint8_t>(r == 0 || r + 1 == ranks ? 1 : 2)});
    }
  }
  RankTimes times() const { return {counts, sums, parts}; }

  std::vector<std::uint64_t> counts;
  std::vector<double> sums;
  std::vector<Part> parts;
};

RankProfile profile_of(const std::function<double(std::size_t, std::size_t)>& time,
                       const std::vector<std::size_t>& ranks = {8, 16, 32}) {
  std::vector<TestRun> runs;
  for (const std::size_t n : ranks) runs.emplace_back(n, time);
  std::vector<RankTimes> times;
  for (const TestRun& r : runs) times.push_back(r.times());
  return RankProfile(times);
}

const Part kInner = {2}, kOuter = {1};

TEST(RankProfile, OfEqualRanksIsEven) {
  const RankProfile p = profile_of([](auto, auto n) { return 1e6 / static_cast<double>(n); });
  EXPECT_EQ(p.rule(), Rule::even);
  EXPECT_TRUE(p.spread().empty());
  EXPECT_EQ(p.left_over(3, 7), 1);
}

TEST(RankProfile, KnowsASlowRank) {
  const RankProfile p = profile_of([](auto r, auto) { return r == 1 ? 2000.0 : 1000.0; });
  EXPECT_EQ(p.rule(), Rule::ends);
  EXPECT_NEAR(p.ratio(1, 1024, kInner) / p.ratio(500, 1024, kInner), 2, 1e-4);
  EXPECT_NEAR(p.ratio(0, 1024, kOuter) / p.ratio(1023, 1024, kOuter), 1, 1e-6);
}

TEST(RankProfile, KnowsAHalf) {
  const RankProfile p = profile_of([](auto r, auto n) { return 2 * r >= n ? 3000.0 : 1000.0; });
  EXPECT_EQ(p.rule(), Rule::position);
  EXPECT_NEAR(p.ratio(100, 256, kInner), 0.5, 1e-6);
  EXPECT_NEAR(p.ratio(160, 256, kInner), 1.5, 1e-6);
}

TEST(RankProfile, KnowsAGradient) {
  const RankProfile p = profile_of([](auto r, auto n) {
    return 1000.0 * (1 + 0.5 * static_cast<double>(r) / static_cast<double>(n - 1));
  });
  EXPECT_EQ(p.rule(), Rule::position);
  EXPECT_NEAR(p.ratio(1023, 1024, kOuter) / p.ratio(0, 1024, kOuter), 1.5, 1e-6);
  EXPECT_NEAR(p.ratio(99'999, 100'000, kOuter) / p.ratio(0, 100'000, kOuter), 1.5, 1e-6);
}

TEST(RankProfile, KnowsParts) {
  // The outer ranks, of which there are two whatever the number, are as slow as their neighbors
  // are not: only parts tell, where the ends are longer than two.
  std::vector<TestRun> runs;
  for (const std::size_t n : {8u, 16u, 32u}) {
    runs.emplace_back(n, [](auto, auto) { return 1000.0; });
    for (std::size_t r = 0; r < n; ++r) {
      runs.back().parts[r] = r % 4 == 2 ? kOuter : kInner;
      if (r % 4 == 2) runs.back().sums[r] *= 4;
    }
  }
  std::vector<RankTimes> times;
  for (const TestRun& r : runs) times.push_back(r.times());
  const RankProfile p{times};
  EXPECT_EQ(p.rule(), Rule::part);
  EXPECT_NEAR(p.ratio(77, 256, kOuter) / p.ratio(77, 256, kInner), 4, 1e-6);
}

// Noise is no rule: it stays a distribution, with its deviation.
TEST(RankProfile, KeepsWhatNoRuleExplains) {
  const RankProfile p = profile_of([](auto r, auto n) {
    return 1000.0 + static_cast<double>(mix(combine(n, r)) % 200);  // uniform in 1000..1199
  });
  EXPECT_EQ(p.rule(), Rule::even);
  ASSERT_EQ(p.spread().size(), 61u);
  double sum = 0, squares = 0;
  for (std::uint64_t r = 0; r < 61; ++r) {
    const double v = p.left_over(r, 5);
    sum += v;
    squares += (v - 1) * (v - 1);
  }
  EXPECT_NEAR(sum / 61, 1, 1e-9);
  EXPECT_NEAR(std::sqrt(squares / 61), 200 / std::sqrt(12) / 1100, 0.015);
}

TEST(RankProfile, OfRanksThatDoNotComeIsEven) {
  std::vector<TestRun> runs;
  for (const std::size_t n : {4u, 8u}) {
    runs.emplace_back(n, [](auto, auto) { return 1000.0; });
    for (std::size_t r = 1; r < n; ++r) runs.back().counts[r] = 0;
    for (std::size_t r = 1; r < n; ++r) runs.back().sums[r] = 0;
  }
  std::vector<RankTimes> times;
  for (const TestRun& r : runs) times.push_back(r.times());
  const RankProfile p{times};
  EXPECT_EQ(p.rule(), Rule::even);
  EXPECT_NEAR(p.level(times.back()), 1000, 1e-9);
}

}  // namespace
}  // namespace reprise::extrapolate
