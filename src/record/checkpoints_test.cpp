#include "record/checkpoints.hpp"

#include <gtest/gtest.h>

namespace reprise::record {
namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;  // [ns]

// A run of so many seconds that calls MPI every `between` [ns], with checkpoints that take `cost`.
struct Simulated {
  Simulated(std::uint64_t seconds, std::uint64_t between, std::uint64_t cost) {
    const std::uint64_t start = 7 * kSecond;  // of a clock that began earlier
    Checkpoints checkpoints(true, start);
    std::uint64_t now = start, last = start;
    while (now - start < seconds * kSecond) {
      if (checkpoints.look()) {
        ++looks;
        if (checkpoints.due(now)) {
          checkpoints.taken(now, now + cost);
          now += cost;
          spent += cost;
          longest_wait = std::max(longest_wait, now - last);
          last = now;
          ++taken;
        }
      }
      ++calls;
      now += between;
    }
    length = now - start;
  }

  std::uint64_t calls = 0, looks = 0, taken = 0, spent = 0, length = 0, longest_wait = 0;  // [ns]
};

TEST(Checkpoints, FirstAfterTheFirstCall) {
  Checkpoints checkpoints(true, 0);
  EXPECT_TRUE(checkpoints.look());
  EXPECT_TRUE(checkpoints.due(1));
  checkpoints.taken(1, 2);
  EXPECT_FALSE(checkpoints.due(3));
}

TEST(Checkpoints, NoneIfNotWanted) {
  Checkpoints checkpoints(false, 0);
  for (int i = 0; i < 1000; ++i) EXPECT_FALSE(checkpoints.look());
}

TEST(Checkpoints, NoneAfterTheEnd) {
  Checkpoints checkpoints(true, 0);
  checkpoints.stop();
  for (int i = 0; i < 1000; ++i) EXPECT_FALSE(checkpoints.look());
}

TEST(Checkpoints, CostAboutAHundredthOfTheTime) {
  for (const std::uint64_t cost : {kSecond / 10'000, kSecond / 100, kSecond / 2}) {
    const Simulated run(100, kSecond / 100'000, cost);
    EXPECT_GE(run.taken, 2u);
    // The last one may not have been paid for by the time after it.
    EXPECT_LE(run.spent - cost, run.length / 100);
  }
}

TEST(Checkpoints, GrowWithTheRun) {
  const Simulated minute(60, kSecond / 10'000, kSecond / 10'000);
  const Simulated hour(3600, kSecond / 1'000, kSecond / 10'000);
  EXPECT_LE(hour.taken, minute.taken + 40);  // 60 times longer: log(60) / log(9/8) = 35 more
  EXPECT_LE(minute.longest_wait, 8 * kSecond);
}

TEST(Checkpoints, TheClockIsReadRarelyWhereCallsAreFrequent) {
  const Simulated frequent(1, 1'000, 1'000);
  EXPECT_LE(frequent.looks, frequent.calls / 60);
  const Simulated rare(1000, kSecond, kSecond / 10'000);
  EXPECT_GE(rare.looks + 1, rare.calls);  // the first two calls are one moment
}

}  // namespace
}  // namespace reprise::record
