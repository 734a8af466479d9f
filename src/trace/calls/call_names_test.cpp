#include "trace/calls/call_names.hpp"

#include <gtest/gtest.h>

#include "trace/calls/functions.hpp"

namespace reprise::trace {
namespace {

TEST(CallNames, TellCallsApart) {
  Trace t;
  t.texts = {"", "a.c", "main", "put"};
  for (const std::uint32_t line : {9U, 12U})
    t.frames.push_back({.function = 2, .file = 1, .line = line});
  for (const std::uint32_t line : {4U, 5U})
    t.frames.push_back({.function = 3, .file = 1, .line = line});
  t.callpaths = {{2, 0}, {2, 1}, {3, 0}, {3, 0}, {}, {0}};
  const FunctionId receive = find_function("MPI_Recv").value();
  for (const std::uint32_t path : {0U, 1U, 2U, 3U, 4U, 4U, 5U})
    t.calls.push_back({.function = receive, .callpath = path, .columns = {}});
  const CallNames names(t);
  EXPECT_EQ(names.text(0), "MPI_Recv in main a.c:9 > put a.c:4") << "by call path";
  EXPECT_EQ(names.text(1), "MPI_Recv in main a.c:12 > put a.c:4");
  EXPECT_EQ(names.text(2), "MPI_Recv in put a.c:5 (1)") << "both on one line";
  EXPECT_EQ(names.text(3), "MPI_Recv in put a.c:5 (2)");
  EXPECT_EQ(names.place(3), "put a.c:5 (2)");
  EXPECT_EQ(names.text(4), "MPI_Recv (1)") << "--callpaths none";
  EXPECT_EQ(names.place(5), "(2)");
  EXPECT_EQ(names.text(6), "MPI_Recv in main a.c:9");
}

}  // namespace
}  // namespace reprise::trace
