#include "analyze/times/time_rows.hpp"

#include <gtest/gtest.h>

#include "analyze/program_text.hpp"
#include "trace/series/series_folder.hpp"

namespace reprise::analyze {
namespace {

using trace::Histogram;

// Durations of a barrier, a class each; rank r is in class `class_of[r]`.
trace::Trace barriers(const std::vector<Histogram>& classes,
                      const std::vector<std::int64_t>& class_of) {
  trace::Trace t = parse_program("ranks " + std::to_string(class_of.size()) +
                                 "\n40: MPI_Barrier @ main a.c:3\n");
  t.timing.mode = trace::TimeMode::histogram;
  trace::CallTimes& times = t.times.emplace_back();
  trace::DeltaTimes& delta = times.communicate;
  delta.classes = classes;
  trace::SeriesFolder by_stream;
  for (const std::int64_t c : class_of) by_stream.append(c);
  if (classes.size() > 1) delta.class_of = by_stream.finish();
  delta.counts = trace::Series::constant(40);
  times.arrivals = trace::Value::constant(0);
  return t;
}

// 40 executions of a rank on each of `ranks`, of which `slow` take 10 us and the others 1 us.
Histogram histogram(std::int64_t ranks, std::int64_t slow) {
  Histogram out(5);
  for (std::int64_t k = 0; k < 40 * ranks; ++k) out.add(k < slow * ranks ? 10'000 : 1000);
  return out;
}

TEST(TimeRows, SharesAreOfTheRanksThatAreAlike) {
  const auto rows = time_rows_of(barriers({histogram(3, 1), histogram(1, 40)}, {0, 0, 1, 0}));
  ASSERT_EQ(rows.size(), 1u);
  ASSERT_EQ(rows[0].groups_of_executions.size(), 2u);
  EXPECT_DOUBLE_EQ(rows[0].groups_of_executions[0].share, 1.0 / 40);
  EXPECT_EQ(rows[0].ranks_of_executions, (std::vector<std::uint64_t>{0, 1, 3}));
}

TEST(TimeRows, WhereAllRanksAreAlikeNoneAreNamed) {
  const auto rows = time_rows_of(barriers({histogram(4, 1)}, {0, 0, 0, 0}));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].groups_of_executions.size(), 2u);
  EXPECT_TRUE(rows[0].ranks_of_executions.empty());
}

}  // namespace
}  // namespace reprise::analyze
