#include "trace/calls/places.hpp"

#include <gtest/gtest.h>

namespace reprise::trace {
namespace {

// Frames of the file a.c, a line and a function each; frame i lies in function i + 1.
Trace with_frames(const std::vector<std::pair<std::uint32_t, std::string>>& frames) {
  Trace t;
  t.texts = {"", "a.c"};
  for (const auto& [line, function] : frames) {
    t.frames.push_back(
        {.function = static_cast<std::uint32_t>(t.texts.size()), .file = 1, .line = line});
    t.texts.push_back(function);
  }
  return t;
}

TEST(Places, AreTheInnermostFrames) {
  Trace t = with_frames({{9, "main"}, {4, "put"}});
  t.modules = {{"/opt/lib/libx.so", ""}};
  t.frames.push_back({.module = 0, .offset = 0x1f0});
  t.callpaths = {{1, 0}, {}, {2, 0}};
  const Places places(t);
  EXPECT_EQ(places.text(0), "put a.c:4");
  EXPECT_EQ(places.path_text(0), "main a.c:9 > put a.c:4");
  EXPECT_EQ(places.frame(0), &t.frames[1]);
  EXPECT_EQ(places.text(1), "");
  EXPECT_EQ(places.path_text(1), "");
  EXPECT_EQ(places.frame(1), nullptr);
  EXPECT_EQ(places.text(2), "? libx.so+0x1f0");
}

TEST(Places, FollowTheCall) {
  Trace t = with_frames({{9, "main"}});
  t.callpaths = {{0}, {}};
  const FunctionId receive = find_function("MPI_Recv").value();
  t.calls = {{.function = receive, .callpath = 0, .columns = {}},
             {.function = receive, .callpath = 1, .columns = {}}};
  EXPECT_EQ(describe_call(t, 0), "MPI_Recv in main a.c:9");
  EXPECT_EQ(describe_call(t, 1), "MPI_Recv") << "--callpaths none";
  EXPECT_EQ(call_in_place("MPI_Send", "main a.c:3"), "MPI_Send in main a.c:3");
}

TEST(Places, LieAboveWrappers) {
  Trace t = with_frames({{9, "main"}, {12, "solve"}, {4, "sum"}, {2, "my_Allreduce"}});
  t.callpaths = {{3, 2, 1, 0}, {3, 1, 0}, {3}, {1, 0}};
  t.wrappers = {{5, 1}, {4, 1}};
  const Places places(t);
  EXPECT_EQ(places.text(0), "solve a.c:12 via sum > my_Allreduce");
  EXPECT_EQ(places.text(1), "solve a.c:12 via my_Allreduce");
  EXPECT_EQ(places.text(2), "my_Allreduce a.c:2") << "nothing is above";
  EXPECT_EQ(places.text(3), "solve a.c:12");
  EXPECT_EQ(places.index(0), 2u);
  EXPECT_EQ(places.path_text(1), "main a.c:9 > solve a.c:12 > my_Allreduce a.c:2");
}

TEST(Places, HaveFullNamesWhereShortOnesReadTheSame) {
  Trace t = with_frames({{7, "put<int>"}, {7, "put<char>"}, {8, "put<int>"}, {9, "put<long>"}});
  t.callpaths = {{0}, {1}, {2}, {3}};
  const Places places(t);
  EXPECT_EQ(places.text(0), "put<int> a.c:7");
  EXPECT_EQ(places.text(1), "put<char> a.c:7");
  EXPECT_EQ(places.text(2), "put a.c:8");
  EXPECT_EQ(places.text(3), "put a.c:9");
  EXPECT_EQ(full_path(t, 3), "put<long> a.c:9");
}

TEST(Places, SourceOrder) {
  Trace t = with_frames({{9, "main"}, {4, "put"}});
  t.frames.push_back({.function = 2, .file = 1, .line = 12});
  t.frames.push_back({.offset = 8, .function = 2});
  t.callpaths = {{1, 0}, {1, 2}, {1, 0}, {1, 3}, {1}};
  EXPECT_EQ(source_order(t, 0, 1), std::partial_ordering::less);
  EXPECT_EQ(source_order(t, 1, 0), std::partial_ordering::greater);
  EXPECT_EQ(source_order(t, 0, 2), std::partial_ordering::equivalent);
  EXPECT_EQ(source_order(t, 0, 3), std::partial_ordering::unordered);
  EXPECT_EQ(source_order(t, 0, 4), std::partial_ordering::unordered);
}

}  // namespace
}  // namespace reprise::trace
