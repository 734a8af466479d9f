// Displacements of MPI_Allgatherv and the like, which follow the counts of the call.
#include "extrapolate/laws/displacements.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "extrapolate/test_traces.hpp"
#include "trace/calls/predefined.hpp"
#include "trace/cursors/cursor.hpp"

namespace reprise::extrapolate {
namespace {

using List = test::Numbers;
using Count = std::function<std::int64_t(std::int64_t index, std::int64_t ranks)>;

constexpr std::int64_t kChar = 1;  // MPI_CHAR

List counts_on(std::int64_t ranks, const Count& count) {
  List out;
  for (std::int64_t i = 0; i < ranks; ++i) out.push_back(count(i, ranks));
  return out;
}

List starts_of(const List& counts, std::int64_t unit) {
  List out;
  std::int64_t before = 0;
  for (const std::int64_t n : counts) {
    out.push_back(before);
    before += unit * n;
  }
  return out;
}

// One MPI_Allgatherv on all ranks.
trace::Trace gathered(const List& counts, const List& displacements) {
  trace::Trace out = test::without_calls(std::ssize(counts));
  const auto length = trace::Value::constant(std::ssize(counts));
  test::add_call(out, "MPI_Allgatherv", trace::Value::constant(1),
                 test::only_of(trace::Kind::datatype, trace::Value::constant(kChar)),
                 {length, test::list_of(counts), length, test::list_of(displacements)});
  return out;
}

// The displacements on so many ranks.
Result<List> extrapolated(const Count& count, std::int64_t unit, std::int64_t ranks) {
  std::vector<trace::Trace> traces;
  for (const std::int64_t p : {4, 6, 9, 12}) {
    const List counts = counts_on(p, count);
    traces.push_back(gathered(counts, starts_of(counts, unit)));
  }
  const auto trace = test::extrapolate_from(traces, {ranks, {}});
  if (!trace) return trace.error();
  trace::Cursor cursor(*trace, static_cast<std::uint64_t>(ranks) - 1);
  EXPECT_TRUE(cursor.next());
  return cursor.event().lists[1];
}

void expect_exact(const Count& count, std::int64_t unit, std::int64_t ranks) {
  const auto found = extrapolated(count, unit, ranks);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(*found, starts_of(counts_on(ranks, count), unit));
}

TEST(Displacements, OfSharesOfAWhole) {
  const auto share = [](std::int64_t i, std::int64_t ranks) {
    return 100 / ranks + (i < 100 % ranks ? 1 : 0);
  };
  expect_exact(share, 1, 16);
  expect_exact(share, 8, 64);
}

// The last blocks are empty on 16 ranks, and on none of the inputs.
TEST(Displacements, OfBlocksThatEndWhereTheWholeDoes) {
  expect_exact(
      [](std::int64_t i, std::int64_t ranks) {
        const std::int64_t block = (100 + ranks - 1) / ranks;
        return std::min(block, std::max<std::int64_t>(100 - i * block, 0));
      },
      1, 16);
}

TEST(Displacements, OfCountsThatGrow) {
  expect_exact([](std::int64_t i, std::int64_t ranks) { return 3 * i + ranks; }, 4, 20);
}

TEST(Displacements, ColumnsThatFollowCounts) {
  const auto follow = [](const char* name) {
    const trace::Function& f = trace::function(*trace::find_function(name));
    std::string out;
    for (std::uint32_t c = 0; c < f.columns(); ++c) {
      const auto counts = counts_before(f, c);
      if (!counts) continue;
      const auto list = [&](std::uint32_t column) {
        return std::string(f.lists[(column - f.scalars.size()) / 2].name);
      };
      out += list(c) + " of " + list(*counts) + "; ";
    }
    return out;
  };
  EXPECT_EQ(follow("MPI_Gatherv"), "displs of recvcounts; ");
  EXPECT_EQ(follow("MPI_Alltoallv"), "sdispls of sendcounts; rdispls of recvcounts; ");
  EXPECT_EQ(follow("MPI_Type_indexed"), "displacements of blocklengths; ");
  EXPECT_EQ(follow("MPI_Waitall"), "");
}

}  // namespace
}  // namespace reprise::extrapolate
