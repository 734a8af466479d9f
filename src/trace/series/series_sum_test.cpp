#include "trace/series/series_sum.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "trace/series/series_folder.hpp"
#include "trace/values/special.hpp"

namespace reprise::trace {
namespace {

TEST(SeriesSum, Run) {
  const Series hundred({Term{.value = 1, .step = 1, .count = 100}});
  EXPECT_EQ(sum_of(hundred, 100), 5050);
  EXPECT_EQ(sum_of(hundred, 10), 55);
  EXPECT_EQ(sum_of(hundred, 1000), 5050) << "there is nothing behind the end";
}

TEST(SeriesSum, ConstantForEver) {
  EXPECT_EQ(sum_of(Series::constant(7), 1'000'000'000'000), 7'000'000'000'000);
}

// 0 0 0 0 1, again and again: every fifth.
TEST(SeriesSum, Repeat) {
  const Series every_fifth(
      {Term{.count = kUnbounded, .period = 5, .body = {{.value = 0, .count = 4}, {.value = 1}}}});
  EXPECT_EQ(sum_of(every_fifth, 4), 0);
  EXPECT_EQ(sum_of(every_fifth, 5), 1);
  EXPECT_EQ(sum_of(every_fifth, 1'000'003), 200'000);
}

RC_GTEST_PROP(SeriesSum, EqualsAdding, ()) {
  const auto body = *rc::gen::container<std::vector<int>>(rc::gen::inRange(-3, 4));
  const int passes = *rc::gen::inRange(1, 6), step = *rc::gen::inRange(-2, 3);
  SeriesFolder folder;
  std::vector<std::int64_t> values;
  for (int p = 0; p < passes; ++p) {
    for (const int v : body) values.push_back(v + p * step);
  }
  for (const std::int64_t v : values) folder.append(v);
  const Series series = folder.finish();
  std::int64_t total = 0;
  for (std::size_t n = 0; n < values.size(); ++n) {
    RC_ASSERT(sum_of(series, n) == total);
    total += values[n];
  }
}

TEST(SeriesSum, Special) {
  EXPECT_FALSE(may_have_special(Series::constant(3)));
  EXPECT_TRUE(may_have_special(Series::constant(kProcNull)));
  EXPECT_TRUE(may_have_special(
      Series({Term{.count = 2, .period = 2, .body = {{.value = 1}, {.value = kNone}}}})));
  EXPECT_FALSE(may_have_special(Series({{.value = 5, .step = 3, .count = kUnbounded}})));
  // Begins and ends at ordinary values.
  EXPECT_TRUE(may_have_special(Series({{.value = 0, .step = kProcNull, .count = 3}})));
  EXPECT_TRUE(may_have_special(Series(
      {Term{.step = kProcNull, .count = 2, .period = 2, .body = {{.value = 1}, {.value = 0}}}})));
}

}  // namespace
}  // namespace reprise::trace
