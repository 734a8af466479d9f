#include "record/lifetime/checkpoints.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace reprise::record {
namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;  // [ns]
constexpr std::uint64_t kStart = 7 * kSecond;     // of a clock that began earlier

// The moments of the checkpoints of a run of so many seconds, each of which takes `cost` [ns].
std::vector<std::uint64_t> moments(std::uint64_t seconds, std::uint64_t cost) {
  Checkpoints checkpoints(kStart);
  std::vector<std::uint64_t> out;
  for (std::uint64_t now = kStart; now - kStart < seconds * kSecond;) {
    now = std::max(now, checkpoints.next());
    EXPECT_TRUE(checkpoints.due(now));
    out.push_back(now - kStart);
    checkpoints.taken(now, now + cost);
    now += cost;
    EXPECT_FALSE(checkpoints.due(now));
  }
  return out;
}

TEST(Checkpoints, TheFirstAfterASecond) {
  const Checkpoints checkpoints(kStart);
  EXPECT_FALSE(checkpoints.due(kStart + kSecond / 2));
  EXPECT_TRUE(checkpoints.due(kStart + 2 * kSecond));
}

TEST(Checkpoints, CostAboutAHundredthOfTheTime) {
  for (const std::uint64_t cost : {kSecond / 10'000, kSecond / 100, kSecond / 2}) {
    const std::vector<std::uint64_t> taken = moments(200, cost);
    EXPECT_GE(taken.size(), 2u);
    // The last one may not have been paid for by the time after it.
    EXPECT_LE((taken.size() - 1) * cost, taken.back() / 100 + cost);
  }
}

TEST(Checkpoints, GrowWithTheRun) {
  const std::vector<std::uint64_t> taken = moments(24 * 3600, kSecond / 10'000);
  EXPECT_LE(taken.size(), 400u);
  for (std::size_t i = 1; i < taken.size(); ++i) {
    EXPECT_LE(taken[i] - taken[i - 1], std::max(taken[i - 1] / 8, kSecond / 5) + kSecond / 10);
    EXPECT_LE(taken[i] - taken[i - 1], std::uint64_t{550} * kSecond);
  }
}

// Ranks that take about as long for one are held up at the same time.
TEST(Checkpoints, RanksTakeThemTogether) {
  const std::vector<std::uint64_t> a = moments(60, kSecond / 100), b = moments(60, kSecond / 90);
  const auto is_shared = [&](std::uint64_t t) { return std::ranges::find(b, t) != b.end(); };
  EXPECT_GE(std::ranges::count_if(a, is_shared), std::ssize(a) / 2);
}

TEST(Checkpoints, OneThatCannotBeTakenIsTriedAgainSoon) {
  Checkpoints checkpoints(kStart);
  const std::uint64_t now = kStart + 2 * kSecond;
  checkpoints.postpone(now);
  EXPECT_FALSE(checkpoints.due(now));
  EXPECT_FALSE(checkpoints.due_while_idle(now));
  EXPECT_TRUE(checkpoints.due(now + 2 * kSecond));
}

TEST(Checkpoints, AnIdleRankNeedNotWaitForTheOthers) {
  Checkpoints checkpoints(kStart);
  EXPECT_TRUE(checkpoints.due_while_idle(kStart + kSecond));
  checkpoints.taken(kStart + kSecond, kStart + kSecond + kSecond / 100);
  EXPECT_FALSE(checkpoints.due_while_idle(kStart + kSecond + kSecond / 2));
  EXPECT_TRUE(checkpoints.due_while_idle(kStart + 3 * kSecond));
}

}  // namespace
}  // namespace reprise::record
