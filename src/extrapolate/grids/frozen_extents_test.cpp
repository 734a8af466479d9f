#include "extrapolate/grids/frozen_extents.hpp"

#include <gtest/gtest.h>

#include "expr/parse.hpp"

namespace reprise::extrapolate {
namespace {

using trace::Kind;

const Grids kBalanced{{{.kind = infer::GridRule::Kind::balanced, .dimensions = 2}}, {0}, {}};
// On 4, 6 and 8 ranks a grid is two ranks wide, on 16 four.
const std::vector<std::int64_t> kNarrow = {4, 6, 8}, kDiverse = {4, 6, 9};

bool is_doubted(const std::vector<std::int64_t>& inputs, const std::string& text, Kind kind,
                std::optional<std::size_t> grid = {}) {
  const FrozenExtents frozen(inputs, 16, kBalanced);
  const NumberLaw number{.expression = *expr::parse(text), .grid = grid, .of_rank = true};
  return frozen.doubt({.form = Law::Form::indexed, .number = number}, kind).has_value();
}

TEST(FrozenExtents, AWidthIsNoNumber) {
  for (const char* text : {"rank + 2", "rank % 2", "rank / 2", "(rank + ranks / 2) % ranks"}) {
    EXPECT_TRUE(is_doubted(kNarrow, text, Kind::peer)) << text;
    EXPECT_FALSE(is_doubted(kDiverse, text, Kind::peer)) << text;
  }
  EXPECT_TRUE(is_doubted(kNarrow, "2", Kind::integer));
}

TEST(FrozenExtents, NumbersThatAreNoPlaceAreLetBe) {
  for (const char* text : {"2 + (rank > 0)", "i0 == 2 ? rank - 1 : rank + 1", "2 * (rank > 0)"}) {
    EXPECT_FALSE(is_doubted(kNarrow, text, Kind::count)) << text;
  }
  EXPECT_FALSE(is_doubted(kNarrow, "2", Kind::count));
}

// 72 ranks are 6 x 12 by their prime factors, and 8 x 9 if they are to be even.
TEST(FrozenExtents, RulesThatTheInputsDoNotTellApart) {
  const Law law{.form = Law::Form::indexed,
                .number = {.expression = *expr::parse("x0 > 0"), .grid = 0, .of_rank = true}};
  EXPECT_TRUE(FrozenExtents(kDiverse, 72, kBalanced).doubt(law, Kind::count));
  EXPECT_FALSE(FrozenExtents(kDiverse, 36, kBalanced).doubt(law, Kind::count));
  const Grids given{kBalanced.rules, {0}, {8, 9}};
  EXPECT_FALSE(FrozenExtents(kDiverse, 72, given).doubt(law, Kind::count));
}

// With two rows, the second one is the last.
TEST(FrozenExtents, NorAreCoordinates) {
  EXPECT_TRUE(is_doubted(kNarrow, "x1 == 0", Kind::count, 0));
  EXPECT_FALSE(is_doubted(kDiverse, "x1 == 0", Kind::count, 0));
}

// Where a grid is two ranks wide, the one to the right is the one to the left.
TEST(FrozenExtents, StepsThatAreOneOfSeveralAreDoubted) {
  EXPECT_TRUE(is_doubted(kNarrow, "rank ^ 1", Kind::peer));
  EXPECT_FALSE(is_doubted(kDiverse, "rank ^ 1", Kind::peer));
}

// On 3 ranks a grid is a line: half of the ranks are none of its rows, and no message goes two
// ranks further, unless nothing is executed there.
TEST(FrozenExtents, LinesDistinguishNumbersFromWidths) {
  const std::vector<std::int64_t> inputs = {3, 4, 6, 8};
  const FrozenExtents frozen(inputs, 16, kBalanced);
  const auto is_doubted = [&](const char* text, const char* absent, Kind kind) {
    const NumberLaw number{.expression = *expr::parse(text), .of_rank = true};
    const NumberLaw nowhere{.expression = *expr::parse(absent)};
    return frozen.doubt({.form = Law::Form::indexed, .number = number}, kind, nowhere).has_value();
  };
  for (const char* text : {"rank / 2", "rank % 2", "2"}) {
    EXPECT_FALSE(is_doubted(text, "0", Kind::integer)) << text;
    EXPECT_TRUE(is_doubted(text, "ranks == 3", Kind::integer)) << text;
  }
  EXPECT_FALSE(is_doubted("rank + 2", "ranks - 2 <= rank", Kind::peer));
  EXPECT_TRUE(is_doubted("rank + 2", "ranks < 4 || ranks - 2 <= rank", Kind::peer));
  EXPECT_FALSE(is_doubted("rank ^ 1", "ranks - ranks % 2 <= rank", Kind::peer));
  // With 1 for one of the numbers, rank 1 has the same value, and rank 2 another.
  EXPECT_FALSE(is_doubted("rank / 2 * 2", "0", Kind::peer));
  // The remainder of a single rank is 0 for each width.
  EXPECT_TRUE(is_doubted("rank % 2", "rank > 0", Kind::integer));
}

// A value of a later execution, or a step, may have no sample on a line.
TEST(FrozenExtents, LinesDistinguishFirstValuesOnly) {
  const FrozenExtents frozen(std::vector<std::int64_t>{3, 4, 6, 8}, 16, kBalanced);
  const auto is_doubted = [&](std::int64_t value, std::int64_t step) {
    const TermLaw term{.value = {.expression = value},
                       .step = {.expression = step},
                       .count = {.expression = *expr::parse("ranks / 2")},
                       .body = {}};
    const NumberLaw nowhere{.expression = 0};
    return frozen.doubt({.form = Law::Form::terms, .terms = {term}}, Kind::integer, nowhere)
        .has_value();
  };
  EXPECT_FALSE(is_doubted(2, 0));
  EXPECT_TRUE(is_doubted(5, 2));
}

TEST(FrozenExtents, ARelativePeerIsAnOffset) {
  const FrozenExtents frozen(kNarrow, 16, kBalanced);
  const Law law{.form = Law::Form::series,
                .encoding = trace::Encoding::relative,
                .series = trace::Series::constant(2)};
  EXPECT_TRUE(frozen.doubt(law, Kind::peer));
}

}  // namespace
}  // namespace reprise::extrapolate
