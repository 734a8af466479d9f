#include "trace/series/seek_cursor.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "trace/series/series_folder.hpp"

namespace reprise::trace {
namespace {

// Loops within loops, runs and noise: what folds, and what does not.
std::vector<std::int64_t> random_values() {
  std::vector<std::int64_t> out;
  const int parts = *rc::gen::inRange(1, 5);
  for (int p = 0; p < parts; ++p) {
    const auto body = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 4));
    const int times = *rc::gen::inRange(1, 30);
    const int step = *rc::gen::inRange(0, 2);
    for (int t = 0; t < times; ++t) {
      for (const int b : body) out.push_back(b + t * step);
    }
  }
  return out;
}

Series fold(const std::vector<std::int64_t>& values) { return fold_numbers(values); }

RC_GTEST_PROP(SeekCursor, WalksAndSeeksAsTheSeriesSays, ()) {
  const std::vector<std::int64_t> values = random_values();
  RC_PRE(!values.empty());
  const Series series = fold(values);
  SeekCursor walking(series);
  for (const std::int64_t v : values) RC_ASSERT(walking.next() == v);
  const auto n = static_cast<std::uint64_t>(values.size());
  SeekCursor seeking(series);
  for (int i = 0; i < 10; ++i) {
    const std::uint64_t k = *rc::gen::inRange<std::uint64_t>(0, n);
    seeking.seek(k);
    for (std::uint64_t j = k; j < n; ++j) RC_ASSERT(seeking.next() == values[j]);
    RC_ASSERT(seeking.position() == n);
  }
}

RC_GTEST_PROP(SeekCursor, SaysNothingPeriodicThatIsNot, ()) {
  const std::vector<std::int64_t> values = random_values();
  RC_PRE(!values.empty());
  const Series series = fold(values);
  const SeekCursor cursor(series);
  const std::uint64_t from = *rc::gen::inRange<std::uint64_t>(0, values.size());
  const std::uint64_t period = *rc::gen::inRange<std::uint64_t>(1, 12);
  const std::uint64_t until = cursor.periodic_until(from, from + period);
  for (std::uint64_t k = from; k + period < std::min<std::uint64_t>(until, values.size()); ++k)
    RC_ASSERT(series.at(k) == series.at(k + period));
}

TEST(SeekCursor, FindsThePeriodOfARepeat) {
  std::vector<std::int64_t> values;
  for (int i = 0; i < 40; ++i) values.insert(values.end(), {1, 0, 0});
  values.push_back(7);
  values.push_back(8);
  values.push_back(8);
  const Series series = fold(values);
  const SeekCursor cursor(series);
  EXPECT_GE(cursor.periodic_until(4, 10), 117u);
  EXPECT_EQ(cursor.periodic_until(4, 6), 6u) << "the two zeros";
}

}  // namespace
}  // namespace reprise::trace
