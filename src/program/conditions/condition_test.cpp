#include "program/conditions/condition.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "expr/print.hpp"

namespace reprise::program {
namespace {

std::string text_of(const Space& space, const Streams& some) {
  Streams all(space.ranks() * space.threads());
  std::iota(all.begin(), all.end(), std::uint64_t{0});
  const Condition c = condition_of(space, some, all);
  return c.expression ? expr::print(*c.expression) : "a set";
}

TEST(Condition, ComparesOneNumber) {
  const Space line({8});
  EXPECT_EQ(text_of(line, {0}), "rank == 0");
  EXPECT_EQ(text_of(line, {1, 2, 3, 4, 5, 6, 7}), "rank > 0");
  EXPECT_EQ(text_of(line, {0, 1, 2}), "rank < 3");
  EXPECT_EQ(text_of(line, {6, 7}), "rank > 5");
  EXPECT_EQ(text_of(line, {0, 2, 4, 6}), "rank % 2 == 0");
  EXPECT_EQ(text_of(line, {2, 3, 4}), "rank >= 2 && rank <= 4");
}

TEST(Condition, PrefersCoordinatesToRemainders) {
  const Space grid({16}, {4, 4}), line({16});
  const Streams not_east = {0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14};
  EXPECT_EQ(text_of(grid, not_east), "x < 3");
  EXPECT_EQ(text_of(line, not_east), "rank % 4 != 3");
  EXPECT_EQ(text_of(line, {0, 1, 3, 4, 5, 7, 8, 9, 11, 12, 13, 15}), "rank % 4 != 2");
  EXPECT_EQ(text_of(grid, {5, 6, 7, 9, 10, 11, 13, 14, 15}), "x > 0 && y > 0");
  EXPECT_EQ(text_of(grid, {0, 1, 2, 3, 4, 8, 12}), "x == 0 || y == 0");
}

// What has a neighbor along a border; other ranks in order are not told by coordinates.
TEST(Condition, PrefersBordersToRanksInOrder) {
  const Space grid({16}, {4, 4}), line({16});
  EXPECT_EQ(text_of(grid, {0, 1, 2}), "x < 3 && y == 0");
  EXPECT_EQ(text_of(grid, {13, 14, 15}), "x > 0 && y == 3");
  EXPECT_EQ(text_of(grid, {1, 2, 3}), "x > 0 && y == 0");
  EXPECT_EQ(text_of(line, {0, 1, 2}), "rank < 3");
  EXPECT_EQ(text_of(grid, {0, 1}), "rank < 2");
  EXPECT_EQ(text_of(grid, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}), "rank < 15");
}

TEST(Condition, LeavesIrregularSetsAlone) {
  EXPECT_EQ(text_of(Space({16}), {1, 4, 9, 11, 12}), "a set");
}

TEST(Condition, TellsThreadsApart) {
  EXPECT_EQ(text_of(Space({4, 2}), {0, 2, 4, 6}), "thread == 0");
}

}  // namespace
}  // namespace reprise::program
