#include "extrapolate/inputs/executions.hpp"

#include <gtest/gtest.h>

#include "trace/series/series_folder.hpp"

namespace reprise::extrapolate {
namespace {

trace::Series series(const std::vector<std::int64_t>& values) {
  return trace::fold_numbers(values);
}

TEST(Executions, CountThroughLoopsOfVaryingTrips) {
  const trace::Series once = series({1}), outer = series({3}), inner = series({2, 0, 1});
  std::vector<NumberCursor> chain;
  for (const trace::Series* s : {&once, &outer, &inner}) chain.emplace_back(*s);
  Executions executions(std::move(chain));
  std::vector<std::vector<std::int64_t>> indices;
  while (executions.next()) indices.push_back(executions.indices());
  EXPECT_EQ(indices, (std::vector<std::vector<std::int64_t>>{{0, 0, 0}, {0, 0, 1}, {0, 2, 0}}));
}

TEST(Executions, NoneBehindALoopThatIsNotTaken) {
  const trace::Series never = series({0}), twice = series({2});
  std::vector<NumberCursor> chain;
  chain.emplace_back(never);
  chain.emplace_back(twice);
  EXPECT_FALSE(Executions(std::move(chain)).next());
}

TEST(Executions, OneWithoutLoops) {
  Executions executions({});
  EXPECT_TRUE(executions.next());
  EXPECT_FALSE(executions.next());
}

}  // namespace
}  // namespace reprise::extrapolate
