// Many ranks and long streams on a small stack: nothing recurses by rank or by call.
#include <gtest/gtest.h>
#include <pthread.h>

#include <functional>

#include "transform/align.hpp"
#include "transform/resolve.hpp"
#include "transform/test_traces.hpp"

namespace reprise::transform {
namespace {

using test::TestCall;
using test::TestStream;

constexpr std::size_t kStack = std::size_t{192} << 10;  // [bytes]; a frame for each rank is more
constexpr std::int64_t kManyRanks = 16384;
constexpr int kManyCalls = 1'000'000;

void on_small_stack(const std::function<void()>& work) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, kStack), 0);
  pthread_t thread;
  const auto run = [](void* w) -> void* {
    (*static_cast<const std::function<void()>*>(w))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, run, const_cast<std::function<void()>*>(&work)),
            0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

TestCall send(std::int64_t to) {
  return {"MPI_Send", 1, {{"count", 1}, {"datatype", 1}, {"dest", to}, {"tag", 0}}};
}
TestCall receive_any(std::uint32_t site) {
  return {"MPI_Recv",
          site,
          {{"count", 1},
           {"datatype", 1},
           {"source", trace::kAnySource},
           {"tag", 0},
           {"matched_source", trace::kNone},
           {"matched_tag", trace::kNone}}};
}

// A token goes down from the last rank to the first, so that each rank waits for the one above.
TEST(Scale, AChainThroughManyRanks) {
  std::vector<TestStream> streams;
  for (std::int64_t r = 0; r < kManyRanks; ++r) {
    TestStream& s = streams.emplace_back();
    s.push_back({"MPI_Init", 0});
    if (r + 1 < kManyRanks) s.push_back(receive_any(2));
    if (r > 0) s.push_back(send(r - 1));
    s.push_back({"MPI_Finalize", 3});
  }
  const trace::Trace trace = test::make_trace(streams);
  on_small_stack([&] {
    const auto resolved = resolve(trace, {.matching = Matching::first, .eager = 0});
    ASSERT_TRUE(resolved);
    EXPECT_FALSE(resolved->deadlock);
    EXPECT_EQ(resolved->counts.resolved, static_cast<std::uint64_t>(kManyRanks - 1));
  });
}

// The same the wrong way round: the chain of who waits for whom is as long as there are ranks.
TEST(Scale, ADeadlockOfManyRanks) {
  std::vector<TestStream> streams;
  for (std::int64_t r = 0; r < kManyRanks; ++r)
    streams.push_back(
        {{"MPI_Init", 0}, receive_any(2), send((r + 1) % kManyRanks), {"MPI_Finalize", 3}});
  const trace::Trace trace = test::make_trace(streams);
  on_small_stack([&] {
    const auto resolved = resolve(trace, {.matching = Matching::first});
    ASSERT_TRUE(resolved);
    EXPECT_TRUE(resolved->deadlock);
  });
}

// Two ranks whose barriers stand at other lines in turn.
TEST(Scale, AMillionCallsOfARank) {
  std::vector<TestStream> streams(2);
  for (std::uint32_t r = 0; r < 2; ++r) {
    streams[r].push_back({"MPI_Init", 0});
    for (int k = 0; k < kManyCalls; ++k) {
      streams[r].push_back({"MPI_Barrier", k % 3 == 0 ? 4 + r : 6});
    }
    streams[r].push_back({"MPI_Finalize", 3});
  }
  trace::Trace trace = test::make_trace(streams);
  on_small_stack([&] {
    const auto aligned = align(std::move(trace));
    ASSERT_TRUE(aligned);
    ASSERT_FALSE(aligned->mismatch);
    EXPECT_EQ(aligned->aligned.united, 2u);
  });
}

// One rank sends a million messages before the other takes the first.
TEST(Scale, AMillionMessagesAhead) {
  std::vector<TestStream> streams(2);
  streams[0].push_back({"MPI_Init", 0});
  streams[1].push_back({"MPI_Init", 0});
  for (int k = 0; k < kManyCalls; ++k) {
    streams[0].push_back(send(1));
    streams[1].push_back(receive_any(2));
  }
  for (TestStream& s : streams) s.push_back({"MPI_Finalize", 3});
  const trace::Trace trace = test::make_trace(streams);
  on_small_stack([&] {
    const auto resolved = resolve(trace, {.matching = Matching::first});
    ASSERT_TRUE(resolved);
    EXPECT_EQ(resolved->counts.resolved, static_cast<std::uint64_t>(kManyCalls));
  });
}

}  // namespace
}  // namespace reprise::transform
