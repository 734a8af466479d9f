#include "trace/series/series_range.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <limits>

#include "trace/series/series_folder.hpp"

namespace reprise::trace {
namespace {

TEST(SeriesRange, Run) {
  const Series down({Term{.value = 100, .step = -1, .count = 100}});
  EXPECT_EQ(range_of(down, 100), (ValueRange{1, 100}));
  EXPECT_EQ(range_of(down, 10), (ValueRange{91, 100}));
  EXPECT_EQ(range_of(down, 101), std::nullopt) << "there is nothing behind the end";
  EXPECT_EQ(range_of(down, 0), std::nullopt);
}

TEST(SeriesRange, ConstantForEver) {
  EXPECT_EQ(range_of(Series::constant(7), 1'000'000'000'000), (ValueRange{7, 7}));
  EXPECT_EQ(range_of(Value::constant(7), 3, 5), (ValueRange{7, 7}));
}

TEST(SeriesRange, Overflow) {
  const Series far(
      {Term{.value = 1, .step = std::numeric_limits<std::int64_t>::max(), .count = 3}});
  EXPECT_EQ(range_of(far, 3), std::nullopt);
}

RC_GTEST_PROP(SeriesRange, EqualsLooking, ()) {
  const auto body = *rc::gen::container<std::vector<int>>(rc::gen::inRange(-3, 4));
  const int passes = *rc::gen::inRange(1, 6), step = *rc::gen::inRange(-2, 3);
  SeriesFolder folder;
  std::vector<std::int64_t> values;
  for (int p = 0; p < passes; ++p) {
    for (const int v : body) values.push_back(v + p * step);
  }
  for (const std::int64_t v : values) folder.append(v);
  const Series series = folder.finish();
  for (std::size_t n = 1; n <= values.size(); ++n) {
    const auto [least, greatest] = std::minmax_element(values.begin(), values.begin() + n);
    RC_ASSERT(range_of(series, n) == (ValueRange{*least, *greatest}));
  }
}

}  // namespace
}  // namespace reprise::trace
