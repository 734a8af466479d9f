// Loops that a compiler enters in more than one place.
#include "code/loop_nest.hpp"

#include <gtest/gtest.h>

namespace reprise::code {
namespace {

using trace::CodeFunction;
constexpr std::uint32_t kNoLoop = CodeFunction::kNoLoop;

Flow flow_of(const std::vector<std::vector<std::uint32_t>>& successors) {
  Flow out;
  for (const auto& s : successors) {
    const std::uint64_t at = out.blocks.size();
    out.blocks.push_back({at, at + 1, s, false});
  }
  return out;
}

// for (...) { if (a) A; if (b) B }, where what tests a first stands before the loop, and again at
// its end.
TEST(LoopNest, AnIterationBeginsWithABranchBehindWhichTheLoopIsEntered) {
  enum : std::uint32_t { kTest, kB, kEnd, kCallB, kA, kReturn };
  const Flow flow = flow_of({{kB, kA}, {kEnd, kCallB}, {kB, kA, kReturn}, {kEnd}, {kB}, {}});
  std::vector<std::uint32_t> points{kCallB, kA};
  const CodeFunction found = find_loop_nest(flow, points).function;
  EXPECT_EQ(found, (CodeFunction{true, {kNoLoop}, {0, 0}, {}}));
  EXPECT_EQ(points, (std::vector<std::uint32_t>{kA, kCallB}));
}

// Two entries, of which each leads to the other one only: either begins an iteration.
TEST(LoopNest, WhatIsEnteredAnywhereBeginsAnywhere) {
  const Flow flow = flow_of({{1, 2}, {2}, {1, 3}, {}});
  std::vector<std::uint32_t> points{1, 2};
  const CodeFunction found = find_loop_nest(flow, points).function;
  EXPECT_EQ(found.points, (std::vector<std::uint32_t>{0, 0}));
  EXPECT_EQ(found.exclusive.size(), 1U);
}

}  // namespace
}  // namespace reprise::code
