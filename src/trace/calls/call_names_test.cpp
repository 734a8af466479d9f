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
  EXPECT_EQ(names.text(2), "MPI_Recv in put a.c:5 (call 1 of 2)") << "both on one line";
  EXPECT_EQ(names.text(3), "MPI_Recv in put a.c:5 (call 2 of 2)");
  EXPECT_EQ(names.place(3), "put a.c:5 (call 2 of 2)");
  EXPECT_EQ(names.text(4), "MPI_Recv (call 1 of 2)") << "--callpaths none";
  EXPECT_EQ(names.place(5), "(call 2 of 2)");
  EXPECT_EQ(names.text(6), "MPI_Recv in main a.c:9");
}

// The frames that all call paths of a place begin with tell nothing.
TEST(CallNames, LeaveOutWhatAllCallPathsHave) {
  Trace t;
  t.texts = {"", "a.c", "main", "solve", "put"};
  t.frames = {{.function = 2, .file = 1, .line = 9},
              {.function = 3, .file = 1, .line = 20},
              {.function = 3, .file = 1, .line = 21},
              {.function = 4, .file = 1, .line = 30}};
  t.callpaths = {{3, 1, 0}, {3, 2, 0}};
  const FunctionId receive = find_function("MPI_Recv").value();
  for (const std::uint32_t path : {0U, 1U})
    t.calls.push_back({.function = receive, .callpath = path, .columns = {}});
  const CallNames names(t);
  EXPECT_EQ(names.place(0), "solve a.c:20 > put a.c:30");
  EXPECT_EQ(names.place(1), "solve a.c:21 > put a.c:30");
}

}  // namespace
}  // namespace reprise::trace
