#include "analyze/grid.hpp"

#include <gtest/gtest.h>

namespace reprise::analyze {
namespace {

TEST(Grid, BordersThatAreOpenHaveNobodyBehindThem) {
  const Grid grid{{2, 3}, {0, 1}};
  EXPECT_EQ(null_neighbors(grid, 1), (std::vector<bool>{true, false, false, false}));
  EXPECT_EQ(null_neighbors(grid, 4), (std::vector<bool>{false, true, false, false}));
}

TEST(Grid, ALineOfOneProcessEndsOnBothSides) {
  EXPECT_EQ(null_neighbors({{1}, {0}}, 0), (std::vector<bool>{true, true}));
}

TEST(Grid, PartsKeepWhatRemains) {
  EXPECT_EQ(sub_grid({{2, 3, 4}, {0, 1, 0}}, {1, 0, 1}), (Grid{{2, 4}, {0, 0}}));
}

TEST(Grid, DamagedNumbersDoNoHarm) { EXPECT_EQ(null_neighbors({{0, -5}, {}}, -7).size(), 4u); }

}  // namespace
}  // namespace reprise::analyze
