#include "extrapolate/verify/reach.hpp"

#include <gtest/gtest.h>

#include "expr/parse.hpp"

namespace reprise::extrapolate {
namespace {

using Words = std::vector<std::string>;

Scalable on(std::vector<std::int64_t> ranks) {
  Scalable out;
  out.ranks = std::move(ranks);
  out.grids = {
      {{.kind = infer::GridRule::Kind::power, .dimensions = 2, .smallest_first = true}}, {0}, {}};
  return out;
}

Words thresholds(const std::string& text, std::int64_t ranks,
                 const std::vector<std::int64_t>& inputs = {4, 16, 64},
                 std::optional<std::size_t> grid = {}) {
  const NumberLaw law{.expression = *expr::parse(text), .grid = grid};
  return thresholds_in(law, on(inputs), ranks);
}

TEST(Reach, AShareThatComesDownToOne) {
  EXPECT_EQ(thresholds("8 * (128 / ranks)", 128),
            Words{"128 / ranks is 2 or more on all inputs, and 1 on 128 ranks"});
  EXPECT_EQ(thresholds("8 * (128 / ranks)", 256),
            Words{"128 / ranks is 2 or more on all inputs, and 0 on 256 ranks"});
  EXPECT_EQ(thresholds("256 / ranks", 128), Words{});
}

TEST(Reach, ARemainderThatNoInputHas) {
  EXPECT_EQ(thresholds("8 * (960 / ranks) + 2", 128),
            Words{"960 / ranks leaves no remainder on all inputs, and 64 on 128 ranks"});
  EXPECT_EQ(thresholds("8 * (960 / ranks) + 2", 80), Words{});
  EXPECT_EQ(thresholds("1000 / ranks", 128), Words{});  // 8 on 16 ranks
}

TEST(Reach, ALawThatWouldLeaveARemainder) {
  NumberLaw law{.expression = *expr::parse("144 / ranks")};
  law.rounded = *expr::parse("2 * (72 / ranks)");
  EXPECT_EQ(thresholds_in(law, on({4, 6, 9, 12}), 16),
            Words{"144 / ranks divides without remainder on all inputs and on 16 ranks; "
                  "2 * (72 / ranks), which fits as well, rounds"});
}

// 8 x 8 ranks are the largest input, 16 x 16 are wanted.
TEST(Reach, AShareOfAnAxis) {
  EXPECT_EQ(thresholds("16 / d0 + (x0 < 16 % d0)", 256, {4, 16, 64}, 0),
            Words{"16 / d0 is 2 or more on all inputs, and 1 on 256 ranks"});
  EXPECT_EQ(thresholds("16 / d0", 100, {4, 9, 16}), Words{});  // of no grid
}

TEST(Reach, ASideThatNoInputHasTaken) {
  EXPECT_EQ(thresholds("min(ranks, 100)", 128),
            Words{"min(ranks, 100) comes to be 100, as on no input, on 128 ranks"});
  EXPECT_EQ(thresholds("max(100, ranks)", 128),
            Words{"max(100, ranks) comes to be ranks, as on no input, on 128 ranks"});
  EXPECT_EQ(thresholds("min(ranks, 100)", 99), Words{});
  EXPECT_EQ(thresholds("min(ranks, 32)", 128), Words{});  // taken on 64
  EXPECT_EQ(thresholds("min(ranks, 64)", 128), Words{});  // as on 64
  EXPECT_EQ(thresholds("ranks < 100 ? 3 : 5", 128),
            Words{"ranks < 100 is true on all inputs, and false on 128 ranks"});
}

TEST(Reach, SidesThatAreNotTakenHaveNone) {
  EXPECT_EQ(thresholds("ranks < 32 ? 128 / ranks : 1", 256), Words{});
  EXPECT_EQ(thresholds("min(ranks, 32 + 128 / ranks)", 256),
            Words{"128 / ranks is 2 or more on all inputs, and 0 on 256 ranks"});
  EXPECT_EQ(thresholds("min(128 / ranks + 300, 32)", 256), Words{});
}

TEST(Reach, WhatRanksDifferInHasNone) {
  EXPECT_EQ(thresholds("min(rank, 100)", 128), Words{});
  EXPECT_EQ(thresholds("rank / 2 + ranks / 2", 128), Words{});
}

TEST(Reach, TheInputsThemselvesAreSure) { EXPECT_EQ(thresholds("64 / ranks", 64), Words{}); }

TEST(Reach, FarIsBeyondTwiceTheLargest) {
  const std::vector<std::int64_t> inputs = {4, 8, 20};
  EXPECT_FALSE(is_far(inputs, 40));
  EXPECT_TRUE(is_far(inputs, 41));
  EXPECT_TRUE(is_far(inputs, INT64_MAX));
  EXPECT_EQ(times_the_largest(inputs, 64), "3.2 times");
  EXPECT_EQ(times_the_largest(inputs, 80), "4 times");
  EXPECT_EQ(times_the_largest(inputs, 1024), "51 times");
}

TEST(Reach, OriginSaysWhatNothingConfirms) {
  const std::vector<std::int64_t> inputs = {4, 8};
  EXPECT_EQ(describe_origin(inputs, 16, "./a 3"), "extrapolated from 4, 8 ranks; on 8: ./a 3");
  EXPECT_EQ(describe_origin(inputs, 32, ""),
            "extrapolated from 4, 8 ranks to 4 times the largest, where no trace confirms it");
}

}  // namespace
}  // namespace reprise::extrapolate
