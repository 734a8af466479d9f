#include "generate/seen.hpp"

#include <gtest/gtest.h>

#include "analyze/program_text.hpp"
#include "trace/special.hpp"

namespace reprise::generate {
namespace {

// The tags of a call that each rank makes twice.
trace::Value tags(const std::string& text) {
  const std::string call = "MPI_Send count=8 datatype=MPI_INT dest=0 tag=" + text;
  const trace::Trace t = analyze::parse_program("ranks 4\n2:\n  " + call + " @ main a.c:1\n");
  return t.calls[0].columns[5];
}

Seen seen(const std::string& text) {
  return seen_by(tags(text), {0, 1, 2, 3}, [](std::uint64_t) { return 2; });
}

TEST(Seen, UnitesWhatReadsTheSame) {
  EXPECT_EQ(seen("7").distinct.size(), 1U);
  EXPECT_EQ(seen("[7 7 7 7]").distinct.size(), 1U);
  // The third value is never asked for.
  EXPECT_EQ(seen("[{7 7 8} {7 7 9} {7 7} {7}]").distinct.size(), 1U);
  EXPECT_EQ(seen("[{1 2} {1 2 5} {2 1} {1 2}]").which, (std::vector<std::size_t>{0, 0, 1, 0}));
}

TEST(Seen, FindsNumbersThatNeverChange) {
  EXPECT_TRUE(seen("[1 2 3 4]").is_constant_each());
  EXPECT_TRUE(seen("{5 5}").is_constant_each());
  EXPECT_FALSE(seen("{5 6}").is_constant_each());
}

TEST(Seen, TakesAnyValueWhereNoneWasRecorded) {
  const Seen one = without_none(seen("[{- 3} {3 -} - 3]"));
  ASSERT_EQ(one.distinct.size(), 1U);
  EXPECT_EQ(one.distinct[0].at(0), 3);
  // Two numbers and nothing are left as they are.
  EXPECT_EQ(without_none(seen("[{- 3} {4 -} 3 4]")).distinct.size(), 2U);
  EXPECT_EQ(without_none(seen("-")).distinct[0].at(0), trace::kNone);
}

}  // namespace
}  // namespace reprise::generate
