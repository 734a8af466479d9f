#include "trace/calls/one_program.hpp"

#include <gtest/gtest.h>

#include "trace/calls/functions.hpp"

namespace reprise::trace {
namespace {

// A trace with a call of MPI_Recv on each line of a.c.
Trace with_lines(const std::vector<std::uint32_t>& lines) {
  Trace t;
  t.texts = {"", "a.c", "main"};
  for (std::uint32_t i = 0; i < lines.size(); ++i) {
    t.frames.push_back({.function = 2, .file = 1, .line = lines[i]});
    t.callpaths.push_back({i});
    t.calls.push_back(
        {.function = find_function("MPI_Recv").value(), .callpath = i, .columns = {}});
  }
  return t;
}

TEST(OneProgram, HasCallSitesInCommon) {
  OneProgram program;
  EXPECT_TRUE(program.add(with_lines({1, 2, 3, 4}), "a"));
  EXPECT_TRUE(program.add(with_lines({1, 2, 3, 4}), "same"));
  EXPECT_TRUE(program.add(with_lines({1, 2, 5, 6, 7, 8, 9}), "half"));
  EXPECT_TRUE(program.add(with_lines({1}), "part"));
  EXPECT_TRUE(program.add(with_lines({}), "empty"));
  const Status other = program.add(with_lines({1, 7, 8, 9}), "b");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().message,
            "a and b are of different programs (they share 1 of 4 call sites); give traces of one "
            "program on different numbers of ranks");
}

}  // namespace
}  // namespace reprise::trace
