// Counts of MPI_Allgatherv, which match what each rank sends.
#include "extrapolate/values/matching_counts.hpp"

#include <gtest/gtest.h>

#include "extrapolate/test_traces.hpp"
#include "trace/cursors/cursor.hpp"

namespace reprise::extrapolate {
namespace {

using test::Numbers;
using OfRank = test::NumberOfRank;

// A message to the next row of a grid, which shows it, and one MPI_Allgatherv.
trace::Trace gathered(std::int64_t ranks, const OfRank& sent, std::int64_t unit) {
  trace::Trace out = test::without_calls(ranks);
  Numbers counts, starts, next, has_next;
  for (std::int64_t r = 0; r < ranks; ++r) {
    starts.push_back(counts.empty() ? 0 : starts.back() + counts.back());
    counts.push_back(sent(r, ranks));
    const std::int64_t below = r + test::columns_of_grid(ranks);
    has_next.push_back(below < ranks ? 1 : 0);
    if (below < ranks) next.push_back(below);
  }
  const auto constant = trace::Value::constant;
  test::add_call(out, "MPI_Send", test::by_rank(has_next),
                 test::only_of(trace::Kind::peer, test::by_rank(next)), {});
  Numbers of_own;
  for (const std::int64_t n : counts) of_own.push_back(unit * n);
  test::add_call(out, "MPI_Allgatherv", constant(1),
                 [&](const trace::Column& c) {
                   if (c.kind == trace::Kind::count) return test::by_rank(of_own);
                   return constant(c.kind == trace::Kind::datatype ? 1 : 0);
                 },
                 {constant(ranks), test::list_of(counts), constant(ranks), test::list_of(starts)});
  return out;
}

// Of a plane that is divided among the ranks of the grid.
std::int64_t part(std::int64_t rank, std::int64_t ranks) {
  const std::int64_t dx = test::columns_of_grid(ranks), dy = ranks / dx;
  const std::int64_t x = rank % dx, y = rank / dx;
  return (61 / dx + (x < 61 % dx ? 1 : 0)) * (50 / dy + (y < 50 % dy ? 1 : 0));
}

// The elements of the first list on so many ranks.
Result<Numbers> counts_on(std::int64_t ranks, std::int64_t unit,
                          Exactness exactness = Exactness::required) {
  std::vector<trace::Trace> traces;
  for (const std::int64_t p : {4, 6, 9, 12, 20}) traces.push_back(gathered(p, part, unit));
  Request request{ranks, {}};
  request.exactness = exactness;
  const auto made = test::extrapolate_from(traces, request);
  if (!made) return made.error();
  trace::Cursor cursor(*made, 0);
  while (cursor.next()) {
    if (!cursor.event().lists.empty()) return Numbers(cursor.event().lists.front());
  }
  return Error{"no list"};
}

TEST(MatchingCounts, AreWhatEachRankSends) {
  const auto counts = counts_on(25, 1);
  ASSERT_TRUE(counts) << counts.error().message;
  ASSERT_EQ(counts->size(), 25U);
  for (std::int64_t r = 0; r < 25; ++r) {
    EXPECT_EQ((*counts)[static_cast<std::size_t>(r)], part(r, 25)) << r;
  }
}

TEST(MatchingCounts, AreInTheSameDatatype) { EXPECT_FALSE(counts_on(25, 2)); }

// A mean would not match what each rank sends, which is exact.
TEST(MatchingCounts, AreNoMeanWhereTheOtherSideIsExact) {
  EXPECT_FALSE(counts_on(25, 2, Exactness::approximate));
}

TEST(MatchingCounts, ColumnsOfCalls) {
  const auto column = [](std::string_view function, std::string_view name) {
    const trace::Function& f = trace::function(*trace::find_function(function));
    for (std::uint32_t i = 0; i < f.scalars.size(); ++i) {
      if (f.scalars[i].name == name) return i;
    }
    for (std::uint32_t i = 0; i < f.lists.size(); ++i) {
      if (f.lists[i].name == name) return static_cast<std::uint32_t>(f.scalars.size()) + 2 * i + 1;
    }
    return ~std::uint32_t{0};
  };
  const auto matching = [&](std::string_view function, std::string_view name) {
    return matching_counts_of(trace::function(*trace::find_function(function)),
                              column(function, name));
  };
  EXPECT_EQ(matching("MPI_Gatherv", "recvcounts"), column("MPI_Gatherv", "sendcount"));
  EXPECT_EQ(matching("MPI_Scatterv", "sendcounts"), column("MPI_Scatterv", "recvcount"));
  EXPECT_EQ(matching("MPI_Alltoallv", "recvcounts"), column("MPI_Alltoallv", "sendcounts"));
  EXPECT_FALSE(matching("MPI_Alltoallv", "sendcounts"));
  EXPECT_FALSE(matching("MPI_Gatherv", "displs"));
}

}  // namespace
}  // namespace reprise::extrapolate
