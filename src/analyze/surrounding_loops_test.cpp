// What every entry into a loop sees again is written once.
#include "analyze/surrounding_loops.hpp"

#include <gtest/gtest.h>

#include "analyze/listing.hpp"
#include "analyze/program_text.hpp"

namespace reprise::analyze {
namespace {

// The last line of the listing.
std::string last_line(const std::string& program) {
  const auto lines = list_program(parse_program(program));
  const ListingLine& last = lines.back();
  return last.condition + (last.condition.empty() ? "" : ": ") + last.call;
}

TEST(SurroundingLoops, OfTheInnermostLoopWhoseEntriesAreAlike) {
  EXPECT_EQ(last_line("ranks 2\n60:\n  3:\n    MPI_Send dest=1 tag={1 2 4 ...}\n"),
            "MPI_Send(dest=1 tag={1 2 4})");
  EXPECT_EQ(last_line("ranks 2\n60:\n  3: MPI_Send dest=1 tag={1 2 4 ...}\n"),
            "3 times: MPI_Send(dest=1 tag={1 2 4})");
}

TEST(SurroundingLoops, OfALoopFurtherOut) {
  EXPECT_EQ(last_line("ranks 2\n60:\n  2:\n    3:\n      MPI_Send dest=1 tag={1 2 4 5 7 9 ...}\n"),
            "MPI_Send(dest=1 tag={1 2 4 5 7 9})");
}

// Levels that take 3, 1 and 2 passes: six in each step.
TEST(SurroundingLoops, OfPassesThatVary) {
  const std::string levels = "ranks 2\n60:\n  3:\n    {3 1 2 ...}:\n      MPI_Send dest=1 ";
  EXPECT_EQ(last_line(levels + "tag={9 9 9 5 7 7 ...}\n"), "MPI_Send(dest=1 tag={9 x3 5 7 7})");
  // Not by level: the second entry of the innermost loop begins with another value.
  EXPECT_EQ(last_line(levels + "tag={5 6 ...}\n"), "MPI_Send(dest=1 tag={5 6 5 6 5 6})");
  const auto lines = list_program(parse_program(levels + "tag=1\n"));
  ASSERT_GE(lines.size(), 2U);
  EXPECT_EQ(lines[lines.size() - 2].condition, "{3 1 2} times");
}

// Too few passes to fold.
TEST(SurroundingLoops, OfFewValues) {
  const auto lines = list_program(
      parse_program("ranks 2\n3:\n  3:\n    {0 1 0 0 1 0 0 1 0}: MPI_Send dest=1 tag={4 5 6}\n"));
  EXPECT_EQ(lines.back().condition, "if {0 1 0}");
}

TEST(SurroundingLoops, NotOfEntriesThatDiffer) {
  EXPECT_EQ(last_line("ranks 2\n20:\n  3:\n    MPI_Send dest=1 tag={1 2 4 5 ...}\n"),
            "MPI_Send(dest=1 tag={(1 2 4 5)x15})");
}

TEST(SurroundingLoops, OfLists) {
  EXPECT_EQ(last_line("ranks 2\n20:\n  2:\n    MPI_Waitall requests=({2 1 ...}){0 1 1 ...}\n"),
            "MPI_Waitall(requests=[{2 1}: 0 1 1])");
}

}  // namespace
}  // namespace reprise::analyze
