#include "trace/series/series_search.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "trace/series/series_folder.hpp"
#include "trace/values/special.hpp"

namespace reprise::trace {
namespace {

constexpr std::uint64_t kEver = ~std::uint64_t{0};

Series run(std::int64_t value, std::int64_t step, std::uint64_t count = kUnbounded) {
  return Series({Term{.value = value, .step = step, .count = count}});
}

TEST(SeriesSearch, WithinARun) {
  EXPECT_TRUE(has_value_within(run(0, -4097), 2, -5000, -1));
  EXPECT_FALSE(has_value_within(run(0, -4097), 1, -5000, -1));
  EXPECT_FALSE(has_value_within(run(0, -4097), 1 << 20, -4096, -1)) << "it steps over them";
  EXPECT_FALSE(has_value_within(run(0, 1), std::uint64_t{1} << 62, -5000, -1));
  EXPECT_TRUE(has_value_within(run(std::int64_t{1} << 61, -1), kEver, -1, -1));
  EXPECT_FALSE(has_value_within(run(7, 0, 5), kEver, 0, 6));
}

// From an ordinary number to a special one, and back.
TEST(SeriesSearch, WhereStepsOverflow) {
  for (const std::int64_t ordinary : {0, 5, 11, 12, 4097}) {
    const Series s = run(ordinary, wrapping_sub(kForeign, ordinary));
    EXPECT_TRUE(has_value_within(s, 2, kForeign, kForeign)) << ordinary;
    EXPECT_FALSE(has_value_within(s, 2, kSpecialBase + kSpecialCount, -1)) << ordinary;
  }
  const Series alternating = run(0, kNone);  // 0, kNone, 0, kNone ..
  EXPECT_FALSE(has_value_within(alternating, kEver, kSpecialBase + kSpecialCount, -1));
  EXPECT_TRUE(has_value_within(alternating, kEver, kNone, kNone));
}

TEST(SeriesSearch, WithinARepeat) {
  const std::vector<Term> body = {{.value = 3, .step = -1, .count = 4}, {.value = 9, .count = 2}};
  const auto repeat = [&](std::int64_t step) {
    return Series({Term{.step = step, .count = kUnbounded, .period = 6, .body = body}});
  };
  EXPECT_FALSE(has_value_within(repeat(0), kEver, -100, -1));
  EXPECT_FALSE(has_value_within(repeat(2), kEver, -100, -1));
  EXPECT_TRUE(has_value_within(repeat(-1), 10, -100, -1)) << "the last value of the second pass";
  EXPECT_FALSE(has_value_within(repeat(-1), 9, -100, -1));
}

// Each repeat alone has few passes, but they multiply: 2^16 to the third.
TEST(SeriesSearch, TakesMorePassesThanItWalksForAHit) {
  const auto repeat = [](std::uint64_t count, std::vector<Term> body, std::uint64_t period) {
    return Term{
        .step = std::int64_t{1} << 48, .count = count, .period = period, .body = std::move(body)};
  };
  const std::uint64_t n = 1 << 16;
  const Term once = repeat(n, {{.value = 0}}, 1);
  const Term twice = repeat(n, {once}, n);
  EXPECT_TRUE(has_value_within(Series({repeat(n, {twice}, n * n)}), kEver, kForeign, kForeign));
  EXPECT_FALSE(has_value_within(Series({once}), kEver, kForeign, kForeign)) << "all are walked";
  EXPECT_FALSE(has_value_within(Series({repeat(4, {once}, n)}), kEver, kForeign, kForeign));
}

RC_GTEST_PROP(SeriesSearch, FindsWhatAWalkFinds, ()) {
  const auto small = rc::gen::inRange<std::int64_t>(-6, 7);
  const auto any =
      rc::gen::oneOf(small, rc::gen::arbitrary<std::int64_t>(),
                     rc::gen::map(rc::gen::inRange(0, 64), [](int k) { return kSpecialBase + k; }));
  const auto count = rc::gen::inRange<std::uint64_t>(1, 6);
  std::vector<Term> body;
  std::uint64_t period = 0;
  for (int k = *rc::gen::inRange(1, 4); k > 0; --k) {
    body.push_back({.value = *any, .step = *any, .count = *count});
    period += body.back().count;
  }
  const Series s({Term{.value = *any, .step = *any, .count = *count},
                  Term{.step = *any, .count = *count, .period = period, .body = body},
                  Term{.value = *any, .step = *any, .count = kUnbounded}});
  const std::uint64_t n = *rc::gen::inRange<std::uint64_t>(0, 60);
  const std::int64_t a = *any, b = *any;
  bool found = false;
  for (std::uint64_t k = 0; k < n; ++k)
    found = found || (s.at(k) >= std::min(a, b) && s.at(k) <= std::max(a, b));
  RC_ASSERT(has_value_within(s, n, std::min(a, b), std::max(a, b)) == found);
}

}  // namespace
}  // namespace reprise::trace
