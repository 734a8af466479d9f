// Programs that can deadlock, and programs that cannot.
#include "transform/resolve/explore.hpp"

#include <gtest/gtest.h>

#include "transform/resolve.hpp"
#include "transform/test_traces.hpp"

namespace reprise::transform {
namespace {

using test::TestCall;
using test::TestStream;

constexpr std::int64_t kAny = trace::kAnySource;

TestCall send(std::uint32_t site, std::int64_t dest, std::int64_t tag = 0) {
  return {"MPI_Send", site, {{"dest", dest}, {"tag", tag}, {"count", 10}, {"datatype", 6}}};
}
TestCall ssend(std::uint32_t site, std::int64_t dest) {
  return {"MPI_Ssend", site, {{"dest", dest}, {"count", 10}, {"datatype", 6}}};
}
TestCall receive(std::uint32_t site, std::int64_t source, std::int64_t tag = 0) {
  return {"MPI_Recv", site, {{"source", source}, {"tag", tag}, {"count", 10}, {"datatype", 6}}};
}
using Cycles = std::vector<std::vector<std::uint64_t>>;

TestCall barrier(std::uint32_t site) { return {"MPI_Barrier", site}; }

Explored explored(const std::vector<TestStream>& streams, ExploreOptions options = {}) {
  auto out = explore(test::make_trace(streams), options);
  EXPECT_TRUE(static_cast<bool>(out));
  return out ? *out : Explored();
}

// Whatever way the messages of ranks 1 and 2 come, one is taken by the wildcard.
TEST(Explore, AWildcardTakesWhatANamedReceiveNeeds) {
  const Explored out = explored({{receive(1, kAny), receive(2, 2)}, {send(3, 0)}, {send(3, 0)}});
  ASSERT_TRUE(out.deadlock);
  ASSERT_EQ(out.taken.size(), 1U);
  EXPECT_EQ(out.taken[0].instead, 2);
  EXPECT_EQ(out.taken[0].first, 1);
  EXPECT_EQ(out.deadlock->waiting.front().rank, 0U);
  EXPECT_EQ(out.deadlock->waiting.front().reason().peer, 2U);
}

TEST(Explore, TheSameInTheOtherOrder) {
  EXPECT_TRUE(explored({{receive(1, kAny), receive(2, 1)}, {send(3, 0)}, {send(3, 0)}}).deadlock);
}

TEST(Explore, HeadOnSendsThatAreNotBuffered) {
  const std::vector<TestStream> streams{{send(1, 1), receive(2, 1)}, {send(1, 0), receive(2, 0)}};
  const Explored out = explored(streams, {.eager = 0});
  ASSERT_TRUE(out.deadlock);
  EXPECT_TRUE(out.taken.empty());
  EXPECT_EQ(out.deadlock->cycles, (Cycles{{0, 1}}));
}

TEST(Explore, CollectivesThatCross) {
  // Rank 1 comes to the barrier when it has a message that rank 0 sends behind it.
  EXPECT_TRUE(explored({{barrier(1), send(2, 1)}, {receive(3, 0), barrier(1)}}).deadlock);
}

TEST(Explore, ThreeInACycle) {
  const Explored out = explored(
      {{receive(1, 2), send(2, 1)}, {receive(1, 0), send(2, 2)}, {receive(1, 1), send(2, 0)}});
  ASSERT_TRUE(out.deadlock);
  EXPECT_EQ(out.deadlock->cycles, (Cycles{{0, 2, 1}}));
}

TEST(Explore, OneBehindAThousandThatAreSafe) {
  std::vector<TestStream> streams(3);
  for (int i = 0; i < 1000; ++i) {
    streams[0].push_back(receive(1, kAny, 1));
    streams[1 + i % 2].push_back(send(2, 0, 1));
  }
  streams[0].push_back(receive(3, kAny));
  streams[0].push_back(receive(4, 2));
  streams[1].push_back(send(5, 0));
  streams[2].push_back(send(5, 0));
  EXPECT_TRUE(explored(streams).deadlock);
}

TEST(Explore, AWildcardThatLeavesASenderWaiting) {
  // If rank 2 comes first, rank 0 sends to rank 1, which waits for rank 0 to receive.
  EXPECT_TRUE(explored({{receive(1, kAny), ssend(2, 1), receive(3, kAny)},
                        {ssend(4, 0), receive(5, 0)},
                        {ssend(4, 0)}})
                  .deadlock);
}

void expect_none(const std::vector<TestStream>& streams, ExploreOptions options = {}) {
  const Explored out = explored(streams, options);
  EXPECT_FALSE(out.deadlock);
  EXPECT_TRUE(out.is_complete);
}

TEST(Explore, WildcardsThatAreAllAlike) {
  std::vector<TestStream> streams(4);
  for (int i = 0; i < 300; ++i) {
    streams[0].push_back(receive(1, kAny));
    streams[1 + i % 3].push_back(send(2, 0));
  }
  const Explored out = explored(streams);
  EXPECT_FALSE(out.deadlock);
  EXPECT_TRUE(out.is_complete);
  EXPECT_EQ(out.orders, 1U);
}

TEST(Explore, NamedReceivesBeforeWildcards) {
  expect_none({{receive(1, 2), receive(2, kAny)}, {send(3, 0)}, {send(3, 0)}});
}

TEST(Explore, TagsThatKeepMessagesApart) {
  expect_none({{receive(1, kAny, 1), receive(2, 2, 2)}, {send(3, 0, 1)}, {send(3, 0, 2)}});
}

TEST(Explore, AMessageThatIsSentBecauseOfTheFirst) {
  // Rank 2 sends when rank 0 has told it that the wildcard is over.
  expect_none(
      {{receive(1, kAny), send(2, 2), receive(3, 2)}, {send(4, 0)}, {receive(5, 0), send(6, 0)}});
}

TEST(Explore, ABarrierBetweenTheSenders) {
  expect_none({{receive(1, kAny), barrier(2), receive(3, 2)},
               {send(4, 0), barrier(2)},
               {barrier(2), send(4, 0)}});
}

TEST(Explore, HeadOnSendsThatAreBuffered) {
  expect_none({{send(1, 1), receive(2, 1)}, {send(1, 0), receive(2, 0)}}, {.eager = 1 << 20});
}

TEST(Explore, SaysThatItHasNotTriedAll) {
  std::vector<TestStream> streams(3);
  for (int i = 0; i < 20; ++i) {
    streams[0].push_back(receive(1, kAny));
    streams[0].push_back(receive(1, kAny));
    streams[0].push_back(receive(2, 2));
    streams[1].push_back(send(3, 0));
    streams[2].push_back(send(3, 0));
    streams[2].push_back(send(3, 0));
    // All of a step are there before the next begins.
    for (TestStream& s : streams) s.push_back(barrier(4));
  }
  const Explored out = explored(streams, {.orders = 1});
  EXPECT_EQ(out.orders, 1U);
  EXPECT_FALSE(out.is_complete);
  EXPECT_TRUE(explored(streams).deadlock);
}

TEST(Explore, ResolveReportsWhatItFinds) {
  const auto trace =
      test::make_trace({{receive(1, kAny), receive(2, 2)}, {send(3, 0)}, {send(3, 0)}});
  const auto found = resolve(trace, {.matching = Matching::first, .check = true, .orders = 100});
  ASSERT_TRUE(static_cast<bool>(found));
  EXPECT_TRUE(found->deadlock);
  EXPECT_FALSE(resolve(trace, {.matching = Matching::first, .check = true})->deadlock);
}

}  // namespace
}  // namespace reprise::transform
