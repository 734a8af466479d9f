#include "analyze/totals/totals.hpp"

#include <gtest/gtest.h>

#include "analyze/program_text.hpp"
#include "analyze/totals/executions.hpp"
#include "analyze/totals/statistics.hpp"

namespace reprise::analyze {
namespace {

using trace::Direction;

void expect_equals_walking(const trace::Trace& t) {
  const Totals totals = totals_of(t, Counting::moved, Ranges::sent);
  for (std::uint64_t s = 0; s < t.streams(); ++s) {
    bool damaged = false;
    const std::vector<CallTotals> walked =
        totals_by_walking(t, s, damaged, Counting::moved, Ranges::sent);
    EXPECT_FALSE(damaged);
    for (std::size_t c = 0; c < walked.size(); ++c) {
      EXPECT_EQ(totals.of(s, c), walked[c]) << "call " << c << " of stream " << s;
    }
  }
}

// The interior of a line of ranks sends to both sides, its ends to one.
constexpr const char* kLine = R"(
ranks 6
MPI_Init
1000:
  [0 1 1 1 1 1]: MPI_Send count=8 datatype=MPI_DOUBLE dest=rank-1 tag=0 @ main a.c:1
  [1 1 1 1 1 0]: MPI_Send count=8 datatype=MPI_DOUBLE dest=rank+1 tag=0 @ main a.c:2
  {0 0 0 0 1 ...}: MPI_Allreduce count=1 datatype=MPI_INT op=MPI_SUM @ main a.c:3
)";

TEST(Totals, Line) {
  const trace::Trace t = parse_program(kLine);
  expect_equals_walking(t);
  const Totals totals = totals_of(t);
  EXPECT_EQ(totals.classes.size(), 3u) << "first, interior, last";
  EXPECT_EQ(executions(t, 0), (std::vector<std::uint64_t>{1, 0, 1000, 200}));
}

TEST(Totals, HugeCountsAreNotWalked) {
  const trace::Trace t = parse_program(
      "ranks 1000\n1000000000000: MPI_Send count={1 2 3 ...} datatype=MPI_INT dest=rank+1 tag=0");
  const Totals totals = totals_of(t);
  EXPECT_EQ(totals.classes.size(), 1u);
  EXPECT_EQ(totals.of(7, 0).calls, 1000000000000u);
  EXPECT_EQ(totals.of(7, 0).volume[Direction::sent], 4u * (333333333333u * 6 + 1));
}

TEST(Totals, RangesOfHugeCountsAreNotWalked) {
  const trace::Trace t = parse_program(
      "ranks 2\n1000000000000: MPI_Send count={3 1 2 ...} datatype=MPI_INT dest=rank+1 tag=0");
  EXPECT_EQ(totals_of(t, Counting::moved, Ranges::sent).of(1, 0).sent, (SentRange{4, 12}));
}

TEST(Totals, NestedLoopsWithTripsThatVary) {
  expect_equals_walking(parse_program(R"(
ranks 3
12:
  {3 1 2 ...}:
    [0 {0 1 ...} 2]: MPI_Send count={1 2 4 8 ...} datatype=MPI_INT dest=rank+1 tag=0
    MPI_Alltoallv sendcounts=(3){5 6 7 8 9 ...} sdispls=(0 0 0) sendtype=MPI_INT recvcounts=(3){1 2 ...} rdispls=(0 0 0) recvtype=MPI_DOUBLE
)"));
}

TEST(Totals, DatatypesThatVary) {
  expect_equals_walking(
      parse_program("ranks 2\n9: MPI_Send count={1 2 ...} datatype={MPI_INT MPI_DOUBLE MPI_CHAR "
                    "...} dest={0 MPI_PROC_NULL} tag=0"));
}

TEST(Statistics, BySiteMostBytesFirst) {
  const trace::Trace t = parse_program(kLine);
  const Statistics s = statistics_of(t, totals_of(t), Grouping::site);
  ASSERT_EQ(s.rows.size(), 4u);
  EXPECT_EQ(s.rows[0].place, "main a.c:1");
  const Spread& sent = s.rows[0].of(Direction::sent);
  EXPECT_EQ(sent.total, 5u * 1000 * 64);
  EXPECT_EQ(sent.min, 0u);
  EXPECT_EQ(sent.min_rank, 0u);
  EXPECT_EQ(sent.max, 64000u);
  EXPECT_EQ(sent.max_rank, 1u);
  EXPECT_EQ(s.rows[2].place, "main a.c:3");
  EXPECT_EQ(s.rows[3].calls.total, 6u);
  EXPECT_EQ(s.all.of(Direction::sent).total, 2u * 5 * 64000 + 6 * 200 * 4);
  EXPECT_EQ(s.all.of(Direction::sent).min, 64000u + 800);
}

TEST(Statistics, ByFunction) {
  const trace::Trace t = parse_program(kLine);
  const Statistics s = statistics_of(t, totals_of(t), Grouping::function);
  ASSERT_EQ(s.rows.size(), 3u);
  EXPECT_EQ(trace::function(s.rows[0].function).name, "MPI_Send");
  EXPECT_EQ(s.rows[0].calls.total, 10000u);
  EXPECT_EQ(s.rows[0].calls.max, 2000u);
}

}  // namespace
}  // namespace reprise::analyze
