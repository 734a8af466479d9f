#include "generate/c_seldom.hpp"

#include <gtest/gtest.h>

namespace reprise::generate {
namespace {

TEST(Mostly, IsOneNumberWhereNobodyNotices) {
  const auto found = mostly({{0, 10, 1000}, {1, 10, 1040}, {2, 10, 960}}, 100);
  EXPECT_EQ(found.ns, 100);
  EXPECT_TRUE(found.rows.empty());
}

TEST(Mostly, NamesRanksThatStandOut) {
  const auto found = mostly({{0, 10, 1000}, {1, 10, 90000}, {2, 10, 1000}, {3, 0, 0}}, 100);
  EXPECT_EQ(found.ns, 100);
  ASSERT_EQ(found.rows.size(), 1U);
  EXPECT_EQ(found.rows[0].rank, 1U);
  EXPECT_EQ(found.rows[0].execution, -1);
  EXPECT_EQ(found.rows[0].ns, 9000);
}

TEST(Mostly, NamesExecutionsAndKeepsSums) {
  // One execution of kinds that take 5000 and 100; it took 6000.
  const auto found = mostly(
      {{0, 4, 400, {100, 100, 100, 100}}, {5, 4, 6300, {100, 100, 5000, 100}}, {6, 4, 400, {}}},
      200);
  EXPECT_EQ(found.ns, 100);
  ASSERT_EQ(found.rows.size(), 1U);
  EXPECT_EQ(found.rows[0].rank, 5U);
  EXPECT_EQ(found.rows[0].execution, 2);
  EXPECT_EQ(found.rows[0].ns, 6000);
}

TEST(Mostly, TellsNoExecutionWhereSumsContradict) {
  const auto found = mostly({{0, 3, 300, {100, 100, 100}}, {1, 3, 310, {100, 100, 5000}}}, 200);
  EXPECT_TRUE(found.rows.empty());
}

TEST(Seldom, HasRowsOnlyWhereTheyAreShort) {
  Seldom seldom;
  EXPECT_TRUE(seldom.text().empty());
  EXPECT_FALSE(seldom.add(7, {{0, -1, 5}, {1, -1, 5}}, 20));
  EXPECT_TRUE(seldom.add(7, {{0, -1, 5}, {1, -1, 5}}, 100));
  EXPECT_NE(seldom.text().find("{7, 0, -1, 5}, {7, 1, -1, 5}"), std::string::npos);
}

}  // namespace
}  // namespace reprise::generate
