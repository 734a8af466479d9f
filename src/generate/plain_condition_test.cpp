#include "generate/plain_condition.hpp"

#include <gtest/gtest.h>

#include "trace/series_folder.hpp"

namespace reprise::generate {
namespace {

// "0110": numbers 1 and 2 of four.
std::string of(const std::string& bits) {
  std::vector<std::pair<std::int64_t, bool>> samples;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if (bits[i] != '.') samples.emplace_back(static_cast<std::int64_t>(i), bits[i] == '1');
  }
  return plain_condition(samples, "rank").value_or("none");
}

TEST(PlainCondition, BoundsAndSingles) {
  EXPECT_EQ(of("0001000"), "rank == 3");
  EXPECT_EQ(of("1110111"), "rank != 3");
  EXPECT_EQ(of("1110000"), "rank < 3");
  EXPECT_EQ(of("0000111"), "rank >= 4");
  EXPECT_EQ(of("0011100"), "rank >= 2 && rank <= 4");
  EXPECT_EQ(of("1100011"), "rank < 2 || rank > 4");
}

TEST(PlainCondition, Periods) {
  EXPECT_EQ(of("010101"), "rank % 2 == 1");
  EXPECT_EQ(of("0111011101110111"), "rank % 4 != 0");
  EXPECT_EQ(of("1100011000"), "rank % 5 < 2");
  EXPECT_EQ(of("0001100011"), "rank % 5 >= 3");
}

TEST(PlainCondition, TwoAreNoRule) {
  EXPECT_EQ(of("01000010000"), "none");
  EXPECT_EQ(of("0100001001000"), "none");
}

// Who is not asked decides nothing.
TEST(PlainCondition, NotAllAreAsked) { EXPECT_EQ(of("0.1.0.1.0.1."), "rank % 4 == 2"); }

TEST(PlainCondition, AllAlikeIsNone) {
  EXPECT_EQ(of("1111"), "none");
  EXPECT_EQ(of("0000"), "none");
}

TEST(PlainCondition, OfASeries) {
  trace::SeriesFolder folder;
  for (int k = 0; k < 9; ++k) folder.append(k % 3 == 2);
  const trace::Series every = folder.finish();
  EXPECT_EQ(plain_condition(every, 9, "i0 * 3 + i1"), "(i0 * 3 + i1) % 3 == 2");
  EXPECT_EQ(plain_condition(every, 9, "passes++"), std::nullopt) << "which is asked for once only";
}

TEST(DistanceOfOnes, IsThatOfWhatGoesOn) {
  const auto distance = [](const std::string& text) {
    trace::SeriesFolder folder;
    for (const char c : text) folder.append(c == '1');
    return distance_of_ones(folder.finish(), text.size());
  };
  EXPECT_EQ(distance("0100100100"), 3);
  EXPECT_EQ(distance("00010"), 5) << "once in all";
  EXPECT_EQ(distance("0100010010"), std::nullopt);
  EXPECT_EQ(distance("1010000000"), std::nullopt) << "it does not go on";
  EXPECT_EQ(distance("0000"), std::nullopt);
}

}  // namespace
}  // namespace reprise::generate
