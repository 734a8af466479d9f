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

// Frames that all calls in one place share, and those further out than needed, are left out.
TEST(CallNames, ListFramesWhereCallPathsPart) {
  Trace t;
  t.texts = {"", "a.c", "main", "step", "put", "wait"};
  const auto frame = [&](std::uint32_t function, std::uint32_t line) {
    t.frames.push_back({.function = function, .file = 1, .line = line});
    return static_cast<std::uint32_t>(t.frames.size() - 1);
  };
  const std::uint32_t first = frame(2, 1), second = frame(2, 2), early = frame(3, 3);
  const std::uint32_t late = frame(3, 4), put = frame(4, 5), wait = frame(5, 6),
                      again = frame(5, 7);
  t.callpaths = {{put, late, first},        {put, early, first},      {put, early, second},
                 {wait, put, first},        {wait, put, late, first}, {again, put, late, first},
                 {put, early, wait, second}};
  const FunctionId receive = find_function("MPI_Recv").value();
  const FunctionId send = find_function("MPI_Send").value();
  for (const std::uint32_t path : {0U, 1U, 2U, 6U})
    t.calls.push_back({.function = receive, .callpath = path, .columns = {}});
  for (const std::uint32_t path : {3U, 4U})
    t.calls.push_back({.function = send, .callpath = path, .columns = {}});
  const CallNames names(t);
  EXPECT_EQ(names.place(0), "step a.c:4 > put a.c:5");
  EXPECT_EQ(names.place(1), "main a.c:1 > step a.c:3 > put a.c:5");
  EXPECT_EQ(names.place(2), "main a.c:2 > step a.c:3 > put a.c:5");
  EXPECT_EQ(names.place(3), "wait a.c:6 > step a.c:3 > put a.c:5");
  EXPECT_EQ(names.place(4), "main a.c:1 > ... > wait a.c:6") << "put is common to both";
  EXPECT_EQ(names.place(5), "step a.c:4 > ... > wait a.c:6");

  t.wrappers = {{.function = 5, .file = 1}};
  t.calls.clear();
  for (const std::uint32_t path : {4U, 5U})
    t.calls.push_back({.function = send, .callpath = path, .columns = {}});
  EXPECT_EQ(CallNames(t).place(0), "put a.c:5 > wait a.c:6") << "they part in a wrapper";
}

}  // namespace
}  // namespace reprise::trace
