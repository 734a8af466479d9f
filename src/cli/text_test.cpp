#include "cli/text.hpp"

#include <gtest/gtest.h>

namespace reprise::cli {
namespace {

TEST(Text, Counts) {
  EXPECT_EQ(count_text(0), "0");
  EXPECT_EQ(count_text(999), "999");
  EXPECT_EQ(count_text(1000), "1,000");
  EXPECT_EQ(count_text(1234567), "1,234,567");
}

TEST(Text, Counted) {
  EXPECT_EQ(counted(1, "rank"), "1 rank");
  EXPECT_EQ(counted(0, "loop"), "0 loops");
  EXPECT_EQ(counted(1234, "branch"), "1,234 branches");
}

TEST(Text, Ranks) {
  EXPECT_EQ(ranks_text({3}), "rank 3");
  EXPECT_EQ(ranks_in_line({0, 1, 4, 5, 6}), "ranks 0 1 4..6");
  EXPECT_EQ(ranks_in_line({0, 2, 3, 5, 7}), "ranks 0 2 3 5 7");
  EXPECT_EQ(ranks_in_line({1, 3, 5, 7, 9, 11, 13, 15, 17}), "ranks 1..17:2");
  EXPECT_EQ(ranks_in_line({0, 1, 2, 3, 16, 17, 18, 19}), "ranks 0..3 16..19");
  EXPECT_EQ(ranks_in_line({0, 1, 2, 16, 17, 18, 32, 33, 34, 48, 49, 50, 64, 65, 66}),
            "15 ranks from 0 to 66");
  std::vector<std::uint64_t> many;
  for (std::uint64_t r = 0; r < 40; ++r) many.push_back(r * r);
  EXPECT_EQ(ranks_in_row(many), "40 from 0 to 1521");
  EXPECT_EQ(ranks_in_line(many), "40 ranks from 0 to 1521");
}

TEST(Text, Losses) {
  EXPECT_EQ(loss_text(2, "ranks that left nothing"), "2 ranks that left nothing");
  EXPECT_EQ(loss_text(1, "ranks cut short at their last checkpoint"),
            "1 rank cut short at its last checkpoint");
  EXPECT_EQ(loss_text(1, "ranks with traces of their own"), "1 rank with a trace of its own");
  EXPECT_EQ(loss_text(1, "calls of MPI 4 that are not recorded"),
            "1 call of MPI 4 that is not recorded");
}

TEST(Text, Bytes) {
  EXPECT_EQ(bytes_text(999), "999 B");
  EXPECT_EQ(bytes_text(1540), "1.54 kB");
  EXPECT_EQ(bytes_text(99990), "100 kB");
  EXPECT_EQ(bytes_text(999999), "1.00 MB");
  EXPECT_EQ(bytes_text(23400000), "23.4 MB");
  EXPECT_EQ(bytes_text(~std::uint64_t{0}), "18.4 EB");
}

TEST(Text, Shares) {
  EXPECT_EQ(share_text(1, 8), "12.5 %");
  EXPECT_EQ(share_text(0, 0), "-");
}

TEST(Text, DurationsHaveUnits) {
  EXPECT_EQ(parse_duration("2.5s"), 2.5e9);
  EXPECT_EQ(parse_duration("12 us"), 12e3);
  EXPECT_FALSE(parse_duration("1.5"));
  EXPECT_FALSE(parse_duration("s"));
}

TEST(Text, TablesAlign) {
  Table t({"name", "n"}, 1);
  t.add({"a", "100"});
  t.add({"long name", "5"});
  EXPECT_EQ(t.text(), "name         n\na          100\nlong name    5\n");
}

TEST(Text, LastColumnsOfTablesMayBeText) {
  Table t({"name", "n", "why"}, 1, LastColumn::text);
  t.add({"a", "100", "b"});
  EXPECT_EQ(t.text(), "name    n  why\na     100  b\n");
}

TEST(Text, LongTextsLeaveTheColumnsOfTablesAlone) {
  Table t({"name", "n"}, 1);
  t.add({"a", "100"});
  const std::string name(120, 'x');
  t.add({name, "5"});
  EXPECT_EQ(t.text(), "name    n\na     100\n" + name + "\n        5\n");
}

}  // namespace
}  // namespace reprise::cli
