#include "write/times/computations.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/hash.hpp"
#include "compress/random_program.hpp"
#include "trace/series/series.hpp"

namespace reprise::write::times {
namespace {

using Time = std::function<double(std::uint64_t rank, std::uint64_t step)>;

constexpr std::uint64_t kSteps = 100;

double real(std::uint64_t n) { return static_cast<double>(n); }

// Ranks that go round a loop of two calls: `compute` [ns] before the first, 10 us before the other.
trace::Trace loop_of(std::uint64_t ranks, const Time& compute) {
  std::vector<test::Stream> streams(ranks);
  for (std::uint64_t r = 0; r < ranks; ++r) {
    for (std::uint64_t step = 0; step < kSteps; ++step) {
      streams[r].push_back({0, 8, 0, 0, std::llround(compute(r, step)), 100});
      streams[r].push_back({1, 8, 0, 0, 10'000, 100});
    }
  }
  return test::trace_of(streams);
}

Computations found(const trace::Trace& trace, Detail detail = Detail::full) {
  return find_computations(trace, {0, 1}, detail);
}

// In [-1, 1].
double noise(std::uint64_t rank, std::uint64_t step) {
  return real(mix(combine(rank, step)) % 1000) / 500 - 1;
}

TEST(Computations, ArePlainWhereNothingVaries) {
  const Computations all = found(loop_of(4, [](auto, auto) { return 1e5; }));
  ASSERT_EQ(all.all.size(), 2u);
  for (const Computation& c : all.all) {
    EXPECT_TRUE(c.is_plain());
    EXPECT_EQ(c.from, kAnywhere);
  }
  EXPECT_EQ(all.all[0].ns, 100'000);
  EXPECT_EQ(all.all[1].ns, 10'000);
}

TEST(Computations, TellPathsApartThatTheRunNotices) {
  // The way into the loop takes as long as all of its iterations.
  const Computations all = found(loop_of(4, [](auto, auto step) { return step == 0 ? 1e7 : 1e5; }));
  ASSERT_EQ(all.all.size(), 3u);
  EXPECT_EQ(all.all[0].from, kStart);
  EXPECT_EQ(all.all[0].ns, 1e7);
  EXPECT_EQ(all.all[1].from, kAnywhere);
  EXPECT_EQ(all.all[1].ns, 1e5);
}

TEST(Computations, HaveTheMeanOfEachRank) {
  const Computations all = found(loop_of(4, [](auto r, auto) { return 1e5 * (1 + real(r)); }));
  EXPECT_EQ(all.all[0].by_rank, (Numbers{100'000, 200'000, 300'000, 400'000}));
  EXPECT_FALSE(all.all[0].drawn);
}

TEST(Computations, DrawWhatVariesWithoutAPattern) {
  const Computations all =
      found(loop_of(4, [](auto r, auto step) { return 1e5 * (1 + 0.2 * noise(r, step)); }));
  ASSERT_TRUE(all.all[0].drawn);
  EXPECT_FALSE(all.all[0].drawn->together);
  EXPECT_EQ(all.all[0].drawn->draws, kSteps);
  ASSERT_EQ(all.spreads.size(), 1u);
  EXPECT_NEAR(all.spreads[0].quantile(0), 0.8, 0.02);
}

TEST(Computations, DrawTogetherWhatIsLongOnAllRanks) {
  const Computations all =
      found(loop_of(4, [](auto, auto step) { return 1e5 * (1 + 0.2 * noise(0, step)); }));
  ASSERT_TRUE(all.all[0].drawn);
  EXPECT_TRUE(all.all[0].drawn->together);
}

TEST(Computations, HaveModesByExecution) {
  const Computations all =
      found(loop_of(4, [](auto, auto step) { return step % 10 == 9 ? 1e6 : 1e5; }));
  const auto c = std::ranges::find_if(
      all.all, [](const Computation& one) { return one.by_execution.has_value(); });
  ASSERT_NE(c, all.all.end());
  trace::ValueCursor means(*c->by_execution, 2);
  for (std::uint64_t step = 1; step < kSteps; ++step)
    EXPECT_EQ(means.next(), step % 10 == 9 ? 1e6 : 1e5);
}

TEST(Computations, AreOneMeanForEachClassOfRanks) {
  const Computations all = found(loop_of(4,
                                         [](auto r, auto step) {
                                           return (step % 10 == 9 ? 1e6 : 1e5) * (r == 3 ? 3 : 1) *
                                                  (1 + 0.1 * noise(r, step));
                                         }),
                                 Detail::ranks);
  ASSERT_EQ(all.all.size(), 2u);
  const Computation& c = all.all[0];
  EXPECT_EQ(c.from, kAnywhere);
  EXPECT_FALSE(c.by_execution || c.drawn || !c.shares.empty());
  ASSERT_EQ(c.by_rank.size(), 4u);
  EXPECT_EQ(c.by_rank[0], c.by_rank[2]);
  EXPECT_NEAR(static_cast<double>(c.by_rank[0]), 190'000, 4000);
  EXPECT_NEAR(static_cast<double>(c.by_rank[3]), 570'000, 12000);
  EXPECT_TRUE(all.all[1].is_plain());
}

TEST(Computations, AreOneMeanForEachCall) {
  const Computations all =
      found(loop_of(4, [](auto r, auto step) { return step == 0 ? 1e7 : 1e5 * (1 + real(r)); }),
            Detail::mean);
  ASSERT_EQ(all.all.size(), 2u);
  EXPECT_TRUE(all.all[0].is_plain());
  EXPECT_NEAR(all.all[0].ns, (1e7 + 99 * 250'000.) / 100, 500);
}

}  // namespace
}  // namespace reprise::write::times
