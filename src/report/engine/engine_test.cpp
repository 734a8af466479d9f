#include "report/engine/engine.hpp"

#include <gtest/gtest.h>

#include "simulate/test_support.hpp"
#include "trace/file/file.hpp"

namespace reprise::report {
namespace {

constexpr Picoseconds kMicrosecond = 1'000'000;

// Rank 0 sends 1000 bytes to rank 1, ten times; each computes 5 us before.
Engine ten_messages() {
  trace::Trace t = analyze::parse_program(
      "ranks 2\ntimes 5000 0\n10:\n"
      "  [1 0]: MPI_Send count=1000 datatype=MPI_BYTE dest=1 tag=0\n"
      "  [0 1]: MPI_Recv count=1000 datatype=MPI_BYTE source=0 tag=0\n");
  return Engine(std::move(t));
}

// The messages take a latency of 2 us and a byte 1 ns.
const std::vector<simulate::Setting> kMachine{
    {"model", "hockney"}, {"network.latency", "2us"}, {"network.bandwidth", "1GB/s"}};

TEST(Engine, SimulatesWhatTheSettingsSay) {
  Engine engine = ten_messages();
  const auto out = engine.simulate(kMachine, Detail::everything);
  ASSERT_TRUE(out) << out.error().message;
  // The last message is sent after 50 us of computation and takes 2 + 1 us.
  EXPECT_EQ((*out)["time_ps"], 53 * kMicrosecond);
  EXPECT_EQ(engine.end(Run::simulated), 53 * kMicrosecond);
  EXPECT_EQ((*out)["messages"], 10);
}

TEST(Engine, DetailDoesNotChangeTheTime) {
  Engine engine = ten_messages();
  const auto times = engine.simulate(kMachine, Detail::times);
  const auto path = engine.simulate(kMachine, Detail::path);
  const auto everything = engine.simulate(kMachine, Detail::everything);
  ASSERT_TRUE(times && path && everything);
  for (const char* key : {"time_ps", "latencies", "bytes", "streams"}) {
    EXPECT_EQ((*times)[key], (*everything)[key]) << key;
    EXPECT_EQ((*path)[key], (*everything)[key]) << key;
  }
  EXPECT_EQ((*path)["sites"], (*everything)["sites"]);
}

TEST(Engine, TellsWhoSendsToWhom) {
  Engine engine = ten_messages();
  ASSERT_TRUE(engine.simulate(kMachine, Detail::everything));
  const auto matrix = engine.matrix(0, 2, 1);
  ASSERT_TRUE(matrix);
  EXPECT_EQ(*matrix, (std::vector<double>{0, 10, 0, 0, 0, 10'000, 0, 0}));
  EXPECT_EQ(engine.flights({0, 1, 2}, 0, 20 * kMicrosecond, 100).size(), 3u)
      << "sent at 5, 10 and 15 us";
}

TEST(Engine, TellsWhereTheCriticalPathIs) {
  Engine engine = ten_messages();
  ASSERT_TRUE(engine.simulate(kMachine, Detail::everything));
  // Rank 0 computes for 50 us, and its last message arrives 3 us later.
  const std::vector<PathPiece> expected{{0, 53 * kMicrosecond, 0, 0, 0}};
  EXPECT_EQ(engine.critical_path({0, 60 * kMicrosecond, 100}), expected);
  EXPECT_TRUE(engine.critical_path({54 * kMicrosecond, 60 * kMicrosecond, 100}).empty());
}

TEST(Engine, SumsUpTheCriticalPathByColumn) {
  // Ranks compute in turn, for 10 us each, and hand on to each other: 40 parts.
  trace::Trace t = analyze::parse_program(
      "ranks 2\ntimes 5000 0\n20:\n"
      "  [1 0]: MPI_Send count=0 datatype=MPI_BYTE dest=1 tag=0\n"
      "  [0 1]: MPI_Recv count=0 datatype=MPI_BYTE source=0 tag=0\n"
      "  [0 1]: MPI_Send count=0 datatype=MPI_BYTE dest=0 tag=0\n"
      "  [1 0]: MPI_Recv count=0 datatype=MPI_BYTE source=1 tag=0\n");
  Engine engine(std::move(t));
  const auto out = engine.simulate(kMachine, Detail::everything);
  ASSERT_TRUE(out);
  const auto end = (*out)["time_ps"].get<Picoseconds>();
  const auto parts = engine.critical_path({0, end, 1000});
  EXPECT_GT(parts.size(), 20u);
  const auto columns = engine.critical_path({0, end, 4});
  ASSERT_EQ(columns.size(), 4u);
  for (const PathPiece& p : columns) {
    EXPECT_EQ(p.first, 0u);
    EXPECT_EQ(p.last, 1u) << "it goes to both ranks in each quarter";
  }
  EXPECT_EQ(columns.back().to, end);
}

TEST(Engine, FillsEachPixelOfTheRecordedRun) {
  Engine engine = ten_messages();
  EXPECT_EQ(engine.end(Run::recorded), 50 * kMicrosecond);
  const auto tile = engine.tile(Run::recorded, {0, 1, 2}, {0, 100 * kMicrosecond, 10});
  ASSERT_TRUE(tile) << tile.error().message;
  for (std::size_t line = 0; line < 2; ++line) {
    for (std::size_t column = 0; column < 10; ++column) {
      EXPECT_EQ((*tile)[(line * 10 + column) * (kKinds + 1)], column < 5 ? 1.0f : 0.0f);
    }
  }
}

TEST(Engine, FillsEachPixelOfTheSimulatedRun) {
  Engine engine = ten_messages();
  ASSERT_TRUE(engine.simulate(kMachine, Detail::everything));
  const Picoseconds end = engine.end(Run::simulated);
  for (const std::size_t columns : {std::size_t{1}, std::size_t{7}, std::size_t{1000}}) {
    const auto tile = engine.tile(Run::simulated, {0, 1, 2}, {0, end, columns});
    ASSERT_TRUE(tile) << tile.error().message;
    double computation = 0;
    for (std::size_t cell = 0; cell < 2 * columns; ++cell)
      computation += (*tile)[cell * (kKinds + 1)];
    EXPECT_NEAR(computation * static_cast<double>(end) / static_cast<double>(columns), 100e6, 1e3)
        << "ten times 5 us on two ranks";
  }
  const std::vector<std::uint32_t> sends{0};
  engine.select(sends);
  const auto selected = engine.tile(Run::simulated, {0, 1, 1}, {0, 50 * kMicrosecond, 1});
  ASSERT_TRUE(selected);
  EXPECT_EQ((*selected)[kKinds], 1.0f) << "the sender does nothing else";
}

TEST(Engine, CountsCallsWithinATime) {
  Engine engine = ten_messages();
  const auto all = engine.statistics(Run::recorded, {0, 1, 2}, 0, 50 * kMicrosecond);
  const auto some =
      engine.statistics(Run::recorded, {0, 1, 2}, 11 * kMicrosecond, 26 * kMicrosecond);
  ASSERT_TRUE(all && some);
  EXPECT_EQ((*all)[0].calls, 10u);
  EXPECT_EQ((*all)[0].compute, 50 * kMicrosecond);
  EXPECT_EQ((*some)[0].calls, 3u) << "at 15, 20 and 25 us";
  EXPECT_EQ((*some)[0].compute, 15 * kMicrosecond);
}

TEST(Engine, DoesNotKeepTheCallsOfALongRun) {
  Engine engine(
      analyze::parse_program("ranks 2\ntimes 1000 0\n3000000:\n"
                             "  [1 0]: MPI_Send count=0 datatype=MPI_BYTE dest=1 tag=0\n"
                             "  [0 1]: MPI_Recv count=0 datatype=MPI_BYTE source=0 tag=0\n"));
  const auto out = engine.simulate(kMachine, Detail::everything);
  ASSERT_TRUE(out);
  EXPECT_EQ((*out)["calls"], 6'000'000);
  // The last message is sent after 3 s of computation and takes 2 us.
  EXPECT_EQ((*out)["time_ps"], 3'000'002 * kMicrosecond);
  EXPECT_FALSE(engine.tile(Run::simulated, {0, 1, 2}, {0, 1000, 10}));
  EXPECT_FALSE(engine.matrix(0, 2, 1));
  EXPECT_TRUE(engine.critical_path({0, 1000, 10}).empty());
}

TEST(Engine, RefusesWhatIsNotThere) {
  Engine engine = ten_messages();
  EXPECT_FALSE(engine.tile(Run::recorded, {0, 1, 3}, {0, 1000, 10}));
  EXPECT_FALSE(engine.tile(Run::recorded, {0, 0, 1}, {0, 1000, 10}));
  EXPECT_FALSE(engine.tile(Run::simulated, {0, 1, 2}, {0, 1000, 10})) << "nothing was simulated";
  EXPECT_FALSE(engine.simulate({{"network.latency", "soon"}}, Detail::times));
  const std::vector<std::uint8_t> no_trace(100, 255);
  EXPECT_FALSE(Engine::open(no_trace));
}

}  // namespace
}  // namespace reprise::report
