// Calls that a compiler copied become one; what a program has twice on a line remains twice.
#include "transform/copies.hpp"

#include <gtest/gtest.h>

#include "transform/test_traces.hpp"

namespace reprise::transform {
namespace {

using test::TestStream;

constexpr std::int64_t kSteps = 20;
constexpr std::uint64_t kMany = 1'000'000;

// Calls of one function at these call paths stand at the same function and line.
trace::Trace with_one_place_for(const std::vector<TestStream>& streams,
                                const std::vector<std::uint32_t>& copies) {
  trace::Trace out = test::make_trace(streams);
  out.symbolized = true;
  for (std::uint32_t p = 0; p < out.callpaths.size(); ++p) {
    const bool is_copy = std::ranges::find(copies, p) != copies.end();
    out.frames.push_back({.line = is_copy ? 1000 : p + 1});
    out.callpaths[p] = {p};
  }
  for (const std::uint32_t p : copies) out.callpaths[p] = {copies.front()};
  return out;
}

// What a stream does, whatever the place.
std::vector<std::pair<std::string, std::vector<std::int64_t>>> deeds(const trace::Trace& trace,
                                                                     std::uint64_t stream) {
  std::vector<std::pair<std::string, std::vector<std::int64_t>>> out;
  for (const trace::Event& e : test::events_of(trace, stream)) {
    out.emplace_back(e.function->name, e.scalars);
  }
  return out;
}

// The neighbors of a rank of a 3 x 3 grid; the compiler has a copy of the receive for each third
// direction.
TEST(Copies, OfACallInALoopOverNeighborsAreOneCall) {
  std::vector<TestStream> streams;
  for (std::int64_t rank = 0; rank < 9; ++rank) {
    TestStream& stream = streams.emplace_back();
    for (std::int64_t step = 0; step < kSteps; ++step) {
      for (std::int64_t d = 0; d < 9; ++d) {
        const std::int64_t y = rank / 3 + d / 3 - 1, x = rank % 3 + d % 3 - 1;
        if (d == 4 || y < 0 || y > 2 || x < 0 || x > 2) continue;
        const std::uint32_t copy = d % 3 == 2 ? 1 : 0;
        stream.push_back({"MPI_Recv", copy, {{"source", 3 * y + x}, {"tag", d}}});
        stream.push_back({"MPI_Send", 2, {{"dest", 3 * y + x}, {"tag", d}}});
      }
      stream.push_back({"MPI_Barrier", 3});
    }
    stream.push_back({"MPI_Finalize", 4});
  }
  const trace::Trace given = with_one_place_for(streams, {0, 1});
  ASSERT_TRUE(has_copies(given));
  const auto united = unite_copies(given, kMany);
  ASSERT_TRUE(united);
  EXPECT_FALSE(has_copies(*united));
  ASSERT_EQ(united->root.body.size(), 2u);
  const trace::Item& steps = united->root.body[0];
  EXPECT_EQ(steps.trips, trace::Value::constant(kSteps));
  ASSERT_EQ(steps.body.size(), 2u);
  const trace::Item& neighbors = steps.body[0];
  EXPECT_EQ(neighbors.body.size(), 2u);
  for (const auto& [rank, n] : {std::pair{0u, 3}, {1u, 5}, {4u, 8}}) {
    EXPECT_EQ(trace::ValueCursor(neighbors.trips, rank).next(), n) << rank;
  }
  for (std::uint64_t r = 0; r < 9; ++r) EXPECT_EQ(deeds(given, r), deeds(*united, r)) << r;
}

TEST(Copies, OfACallThatStandsTwiceOnALineStayApart) {
  std::vector<TestStream> streams(2);
  for (TestStream& stream : streams) {
    for (std::int64_t step = 0; step < kSteps; ++step) {
      stream.push_back({"MPI_Bcast", 0, {{"count", 1}}});
      stream.push_back({"MPI_Bcast", 1, {{"count", 2}}});
    }
  }
  const trace::Trace given = with_one_place_for(streams, {0, 1});
  const auto united = unite_copies(given, kMany);
  ASSERT_TRUE(united);
  EXPECT_EQ(united->calls.size(), 2u);
  EXPECT_EQ(united->root.body[0].body.size(), 2u);
}

TEST(Copies, OfMoreCallsThanMayBeWalkedAreLeft) {
  const trace::Trace given =
      with_one_place_for({{{"MPI_Barrier", 0}, {"MPI_Barrier", 1}, {"MPI_Finalize", 2}}}, {0, 1});
  EXPECT_FALSE(unite_copies(given, 2));
  EXPECT_TRUE(unite_copies(given, 3));
}

TEST(Copies, DifferentLinesAreNone) {
  const trace::Trace trace =
      with_one_place_for({{{"MPI_Barrier", 0}, {"MPI_Barrier", 1}, {"MPI_Finalize", 2}}}, {});
  EXPECT_FALSE(has_copies(trace));
}

}  // namespace
}  // namespace reprise::transform
