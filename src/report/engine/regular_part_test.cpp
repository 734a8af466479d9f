#include "report/engine/regular_part.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "trace/series/series_folder.hpp"

namespace reprise::report {
namespace {

trace::Series folded(const std::vector<std::int64_t>& values) {
  return trace::fold_numbers(values);
}

TEST(RegularPart, OfAConstantIsEndless) {
  EXPECT_EQ(regular_part(trace::Series::constant(5), 3, 1), kForEver);
}

TEST(RegularPart, EndsWhereTheTermDoes) {
  const trace::Series series = folded({7, 7, 7, 7, 7, 7, 7, 1, 3, 2});
  EXPECT_EQ(regular_part(series, 0, 1), 7u);
  EXPECT_EQ(regular_part(series, 5, 1), 2u);
  EXPECT_EQ(regular_part(series, 7, 1), 1u);
}

TEST(RegularPart, SeesRepeatsOfItsPeriod) {
  std::vector<std::int64_t> values;
  for (int k = 0; k < 50; ++k) values.insert(values.end(), {9, 4, 4});
  values.insert(values.end(), {1, 3, 2});
  EXPECT_EQ(regular_part(folded(values), 0, 3), 150u);
  EXPECT_EQ(regular_part(folded(values), 30, 6), 120u);
}

RC_GTEST_PROP(RegularPart, HoldsEqualValuesAPeriodApart, ()) {
  const auto values = *rc::gen::nonEmpty(
      rc::gen::container<std::vector<std::int64_t>>(rc::gen::inRange<std::int64_t>(0, 3)));
  const auto from = *rc::gen::inRange<std::size_t>(0, values.size());
  const auto period = *rc::gen::inRange<std::size_t>(1, 5);
  const std::uint64_t part = regular_part(folded(values), from, period);
  RC_ASSERT(part >= 1u);
  for (std::size_t k = from; k + period < values.size() && k + period < from + part; ++k)
    RC_ASSERT(values[k] == values[k + period]);
}

}  // namespace
}  // namespace reprise::report
