#include "compress/loops/compositions.hpp"

#include <gtest/gtest.h>

namespace reprise::compress {
namespace {

using Shown = Compositions::Shown;
using Begins = std::vector<std::vector<bool>>;

TEST(Compositions, AnIterationThatIsTwoOthersIsTakenApart) {
  Compositions all;
  all.add({0, 1}, 19);
  all.add({0, 1, 2, 3}, 1);
  all.add({2, 3}, 19);
  const IterationSplits splits = all.split(Shown::all_parts);
  EXPECT_EQ(splits.begins, (Begins{{false, false}, {false, false, true, false}, {false, false}}));
  EXPECT_EQ(splits.compositions.at(18), 0);
  EXPECT_EQ(splits.compositions.at(19), 1);
  EXPECT_EQ(splits.compositions.at(20), 2);
}

TEST(Compositions, AsFewPartsAsThereAre) {
  Compositions all;
  for (const Composition& c : {Composition{0}, {1}, {2}, {0, 1}, {0, 1, 2}}) all.add(c, 1);
  EXPECT_EQ(all.split(Shown::all_parts).begins.back(), (std::vector<bool>{false, false, true}));
}

TEST(Compositions, OnePartMayBeShownAlone) {
  Compositions all;
  all.add({0, 1, 5}, 1);
  all.add({0, 1}, 1);
  EXPECT_EQ(all.split(Shown::all_parts).begins.front(), std::vector<bool>(3, false));
  EXPECT_EQ(all.split(Shown::one_of_two).begins.front(), (std::vector<bool>{false, false, true}));
}

TEST(Compositions, TooManyKindsOfIterationsAreNoPattern) {
  Compositions all;
  for (std::uint32_t i = 0; i < 300; ++i) all.add({i}, 1);
  EXPECT_TRUE(all.split(Shown::one_of_two).empty());
}

}  // namespace
}  // namespace reprise::compress
