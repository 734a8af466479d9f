#include "generate/detail.hpp"

#include <gtest/gtest.h>

#include "analyze/program_text.hpp"
#include "generate/c_language.hpp"
#include "trace/cursors/cursor.hpp"

namespace reprise::generate {
namespace {

// A halo whose sizes follow no rule, between barriers.
constexpr const char* kHalo =
    "ranks 4\n"
    "MPI_Init @ main a.c:1\n"
    "6:\n"
    "  MPI_Barrier @ main a.c:2\n"
    "  MPI_Irecv count=9 datatype=MPI_INT source=rank-1 tag=0 @ main a.c:3 > halo b.c:3\n"
    "  MPI_Isend count={3 1 4 1 5 9} datatype=MPI_INT dest=rank+1 tag=0 @ main a.c:3 > halo b.c:4\n"
    "  MPI_Waitall requests=(1 0) @ main a.c:3 > halo b.c:5\n"
    "MPI_Finalize @ main a.c:9\n";

std::string written(const std::string& program, Detail detail) {
  Options options;
  options.trace = "t";
  options.detail = detail;
  const auto benchmark = c_language().write(analyze::parse_program(program), options);
  return benchmark ? benchmark->text : "refused: " + benchmark.error().message;
}

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST(Detail, DrawsIrregularMessages) {
  const std::string c = written(kHalo, Detail::statistical);
  EXPECT_HAS(c, "exchange_drawn(2, &EXCHANGE);");
  EXPECT_HAS(c, "(--detail statistical)");
  EXPECT_HAS(c, "24 messages with 368 bytes in 72 calls");
  EXPECT_HAS(c, "MPI_Barrier(MPI_COMM_WORLD);");
  EXPECT_EQ(c.find("next("), std::string::npos) << c;
}

TEST(Detail, TakesMeans) {
  const std::string c = written(kHalo, Detail::mean);
  EXPECT_HAS(c, ".size = (const long long[]){15}");
  EXPECT_HAS(c, ".messages = (const long long[]){4}");
}

TEST(Detail, LeavesWhatExpressionsTell) {
  const std::string regular =
      "ranks 4\nMPI_Init @ main a.c:1\n"
      "6: MPI_Sendrecv sendcount=3 sendtype=MPI_INT dest=rank+1 sendtag=0 recvcount=3 "
      "recvtype=MPI_INT source=rank-1 recvtag=0 @ main a.c:2\n"
      "MPI_Finalize @ main a.c:9\n";
  EXPECT_EQ(written(regular, Detail::statistical), written(regular, Detail::exact));
}

// The trace of what is drawn has as many calls, as they are made, and the same sums of sizes.
TEST(Detail, KeepsCallsAndSizes) {
  const trace::Trace trace = analyze::parse_program(kHalo);
  const auto drawn = draw_program(trace, Detail::statistical);
  ASSERT_TRUE(drawn) << drawn.error().message;
  const trace::Trace& made = (*drawn)->drawn.trace;
  std::int64_t sent = 0, received = 0, calls = 0;
  for (std::uint64_t s = 0; s < made.streams(); ++s) {
    trace::Cursor cursor(made, s);
    for (; cursor.next(); ++calls) {
      const trace::Event& e = cursor.event();
      if (e.function->name == "MPI_Isend") sent += e.scalars[2];
      if (e.function->name == "MPI_Irecv") received += e.scalars[2];
    }
    EXPECT_FALSE(cursor.damaged());
  }
  EXPECT_EQ(sent, received);
  // Sizes are dealt round by round, in which each occurs once: the last round is not a whole one.
  constexpr std::int64_t kLargest = 36;
  EXPECT_NEAR(static_cast<double>(sent), 368, kLargest);
  EXPECT_NEAR(static_cast<double>(calls), 4 * (2 + 6 + 18), 4);
}

TEST(Detail, FindsTheRoundsOfAMasterAndItsWorkers) {
  const std::string program =
      "ranks 3\nMPI_Init @ main a.c:1\n"
      "[1 0 0]:\n"
      "  5:\n"
      "    MPI_Send count={1 2 1 3 1} datatype=MPI_INT dest={1 2 2 1 2} tag=0 @ main a.c:2\n"
      "    MPI_Recv count=1 datatype=MPI_INT source={1 2 2 1 2} tag=0 @ main a.c:3\n"
      "[0 2 3]:\n"
      "  MPI_Recv count=4 datatype=MPI_INT source=0 tag=0 @ main a.c:4\n"
      "  MPI_Send count=1 datatype=MPI_INT dest=0 tag=0 @ main a.c:5\n"
      "MPI_Barrier @ main a.c:6\n"
      "MPI_Finalize @ main a.c:9\n";
  const auto drawn = draw_program(analyze::parse_program(program), Detail::statistical);
  ASSERT_TRUE(drawn) << drawn.error().message;
  ASSERT_EQ((*drawn)->drawn.exchanges.size(), 1u);
  const trace::DrawnExchange& e = (*drawn)->drawn.exchanges.front();
  EXPECT_TRUE(e.is_ordered);
  EXPECT_EQ(e.rounds.size(), 10u);
  ASSERT_EQ(e.flows.size(), 2u);
  EXPECT_EQ(e.flows[0].senders, (std::vector<std::int64_t>{5, 0, 0}));
  EXPECT_EQ(e.flows[1].receivers, (std::vector<std::int64_t>{5, 0, 0}));
  EXPECT_EQ(e.flows[1].senders, (std::vector<std::int64_t>{0, 2, 3}));
}

// Completions by polling stay such, since a poll takes a machine its time.
TEST(Detail, PollsForAsMany) {
  const std::string polling =
      "ranks 4\n"
      "MPI_Init @ main a.c:1\n"
      "6:\n"
      "  MPI_Barrier @ main a.c:2\n"
      "  MPI_Irecv count=9 datatype=MPI_INT source=rank-1 tag=0 @ main a.c:3\n"
      "  MPI_Isend count={3 1 4 1 5 9} datatype=MPI_INT dest=rank+1 tag=0 @ main a.c:4\n"
      "  MPI_Test request=1 polls=3 @ main a.c:5\n"
      "  MPI_Wait request=0 @ main a.c:6\n"
      "MPI_Finalize @ main a.c:9\n";
  const auto drawn = draw_program(analyze::parse_program(polling), Detail::statistical);
  ASSERT_TRUE(drawn) << drawn.error().message;
  ASSERT_EQ((*drawn)->drawn.exchanges.size(), 1u);
  EXPECT_EQ((*drawn)->drawn.exchanges.front().polls, 1000);
  const std::string c = written(polling, Detail::statistical);
  EXPECT_HAS(c, ".polls = 1000");
  EXPECT_HAS(c, "{\"MPI_Test\", 24, 0}");
}

TEST(Detail, ProbesForWhatAMasterReceives) {
  const std::string program =
      "ranks 3\nMPI_Init @ main a.c:1\n"
      "[1 0 0]:\n"
      "  5:\n"
      "    MPI_Send count={1 2 1 3 1} datatype=MPI_INT dest={1 2 2 1 2} tag=0 @ main a.c:2\n"
      "    MPI_Iprobe source={1 2 2 1 2} tag=0 polls=7 @ main a.c:3\n"
      "    MPI_Recv count=1 datatype=MPI_INT source={1 2 2 1 2} tag=0 @ main a.c:4\n"
      "[0 2 3]:\n"
      "  MPI_Recv count=4 datatype=MPI_INT source=0 tag=0 @ main a.c:5\n"
      "  MPI_Send count=1 datatype=MPI_INT dest=0 tag=0 @ main a.c:6\n"
      "MPI_Barrier @ main a.c:7\n"
      "MPI_Finalize @ main a.c:9\n";
  const auto drawn = draw_program(analyze::parse_program(program), Detail::statistical);
  ASSERT_TRUE(drawn) << drawn.error().message;
  const trace::DrawnExchange& e = (*drawn)->drawn.exchanges.front();
  EXPECT_TRUE(e.is_ordered);
  EXPECT_EQ(e.polls, 500);  // of ten messages
  // Half of five, two and three, rounded on each rank.
  EXPECT_HAS(written(program, Detail::statistical), "{\"MPI_Iprobe\", 6, 0}");
}

TEST(Detail, RefusesWithAReason) {
  EXPECT_HAS(
      written("ranks 2\nMPI_Init @ main a.c:1\n"
              "6:\n"
              "  MPI_Barrier @ main a.c:2\n"
              "  MPI_Isend count={3 1 4 1 5 9} datatype=MPI_INT dest=rank+1 tag=0 @ main a.c:3\n"
              "  MPI_Barrier @ main a.c:4\n"
              "  MPI_Recv count=9 datatype=MPI_INT source=rank-1 tag=0 @ main a.c:5\n"
              "  MPI_Wait request=0 @ main a.c:6\n"
              "MPI_Finalize @ main a.c:9\n",
              Detail::statistical),
      "refused: --detail statistical does not apply: MPI_Isend in main a.c:3 cannot be drawn");
}

}  // namespace
}  // namespace reprise::generate
