// Where sequences agree again. A call is a letter and a digit: what it is, and its contents.
#include "analyze/compare/alignment.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

namespace reprise::analyze {
namespace {

std::vector<Sight> calls(const std::string& text) {
  std::vector<Sight> out;
  std::istringstream words(text);
  for (std::string w; words >> w;)
    out.push_back({static_cast<std::uint64_t>(w[0]), std::hash<std::string>()(w)});
  return out;
}

void expect(const std::string& a, const std::string& b, const Passed& wanted) {
  const std::vector<Sight> in_a = calls(a), in_b = calls(b);
  const Passed p = align(in_a, in_b, 8);
  EXPECT_EQ(p.a, wanted.a) << a << " | " << b;
  EXPECT_EQ(p.b, wanted.b) << a << " | " << b;
  EXPECT_EQ(p.changed, wanted.changed) << a << " | " << b;
  EXPECT_EQ(p.only_a, wanted.only_a) << a << " | " << b;
  EXPECT_EQ(p.only_b, wanted.only_b) << a << " | " << b;
  EXPECT_EQ(p.agrees, wanted.agrees) << a << " | " << b;
}

TEST(Alignment, ACallThatWasAdded) {
  expect("s1 r1 s2 r2", "b0 s1 r1 s2 r2", {0, 1, 0, 0, 1, true});
}

TEST(Alignment, ACallThatWasRemovedFromARun) {
  expect("b0 s1 s1 s1", "s1 s1 s1", {1, 0, 0, 1, 0, true});
}

TEST(Alignment, AChangedCallIsOneDifference) {
  expect("s9 s1 s1 s1", "s1 s1 s1 s1", {1, 1, 1, 0, 0, true});
}

TEST(Alignment, AReplacedCallIsOnBothSides) {
  expect("b0 s1 r1 s1", "c0 s1 r1 s1", {1, 1, 0, 1, 1, true});
}

TEST(Alignment, ChangesAndOneMore) {
  expect("s1 r1 b0 b0 b0", "s2 c0 r2 b0 b0 b0", {2, 3, 2, 0, 1, true});
}

// What changes in every third call never agrees three times in a row.
TEST(Alignment, WithoutAPlaceToGoOnFrom) {
  expect("s1 r0 b0 s2 r0 b0 s3 r0 b0 s4 r0 b0", "s5 r0 b0 s6 r0 b0 s7 r0 b0 s8 r0 b0",
         {8, 8, 3, 0, 0, false});
}

TEST(Alignment, WhatIsNotPairedYetWaits) {
  expect("s1 r0 b0 s2 r0 b0 s3 r0 b0 s4 r0 b0", "c0 s5 r0 b0 s6 r0 b0 s7 r0 b0 s8 r0 b0",
         {7, 8, 3, 0, 1, false});
}

// The window ends for the side without the new calls later than for the other.
TEST(Alignment, ManyNewCallsBelongToOneSide) {
  expect("s1 r0 s2 r0 s3 r0 s4 r0 s5 r0 s6 r0", "s7 c0 c1 r0 c0 s8 c0 c1 c0 c1 c0 c1",
         {3, 6, 2, 0, 3, false});
}

TEST(Alignment, OneSideEnds) { expect("", "s1 s2", {0, 2, 0, 0, 2, true}); }

}  // namespace
}  // namespace reprise::analyze
