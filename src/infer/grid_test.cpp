#include "infer/grid.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "infer/critical_nodes.hpp"
#include "infer/digits.hpp"
#include "infer/sample_of.hpp"

namespace reprise::infer {
namespace {

// Sites for the steps along each dimension, on the grids of the rule, with the grids left out.
std::vector<Samples> sites_on(const GridRule& rule, const std::vector<std::int64_t>& ranks,
                              bool wrap) {
  std::vector<Samples> sites;
  for (std::size_t i = 0; i < rule.dimensions; ++i) {
    for (const std::int64_t step : {-1, 1}) {
      std::vector<World> worlds;
      for (const std::int64_t p : ranks) worlds.push_back({p, *rule.extents(p)});
      std::vector<std::int64_t> steps(rule.dimensions);
      steps[i] = step;
      sites.push_back(sample(worlds, neighbor(steps, wrap)));
      for (auto& w : sites.back().worlds) w.world.extents.clear();
    }
  }
  return sites;
}

std::string grid_of(const GridRule& rule, const std::vector<std::int64_t>& ranks, bool wrap) {
  const auto fits = infer_grid(sites_on(rule, ranks, wrap));
  return fits.empty() ? "none" : fits.front().rule.describe();
}

using Kind = GridRule::Kind;

TEST(Grid, FindsSquaresAndCubes) {
  for (const bool wrap : {false, true}) {
    EXPECT_EQ(grid_of({.kind = Kind::power, .dimensions = 2}, {9, 16, 25}, wrap), "square");
    EXPECT_EQ(grid_of({.kind = Kind::power, .dimensions = 3}, {27, 64}, wrap), "cube");
  }
  // In two dimensions, peers above and below are six rows away on both.
  EXPECT_EQ(grid_of({.kind = Kind::power, .dimensions = 3}, {8, 27}, false), "cube");
}

TEST(Grid, FindsBalancedGridsInEitherOrder) {
  for (const bool wrap : {false, true}) {
    EXPECT_EQ(grid_of({.kind = Kind::balanced, .dimensions = 2}, {6, 12, 15}, wrap),
              "balanced 2-D, d0 least");
    EXPECT_EQ(grid_of({.kind = Kind::balanced, .dimensions = 2, .smallest_first = false},
                      {8, 15, 24, 32}, wrap),
              "balanced 2-D, d0 greatest");
    EXPECT_EQ(grid_of({.kind = Kind::balanced, .dimensions = 3}, {24, 60, 36}, wrap),
              "balanced 3-D, d0 least");
  }
}

// The greatest divisor up to the cube root, then of what is left up to the square root.
TEST(Grid, ChoosesOneExtentAfterTheOther) {
  const GridRule greedy{.kind = Kind::greedy, .dimensions = 3};
  EXPECT_EQ(greedy.extents(24), (std::vector<std::int64_t>{2, 3, 4}));
  EXPECT_EQ(greedy.extents(42), (std::vector<std::int64_t>{3, 2, 7}));
  EXPECT_EQ(greedy.extents(7), (std::vector<std::int64_t>{1, 1, 7}));
  EXPECT_EQ(greedy.extents(1), (std::vector<std::int64_t>{1, 1, 1}));
  EXPECT_EQ(grid_of(greedy, {24, 42, 60}, false), "greedy 3-D, d0 least");
}

// Neighbors along the last dimension alone make a row of any length.
TEST(Grid, TakesNoDimensionsInWhichNobodyIsANeighbor) {
  const GridRule cube{.kind = Kind::power, .dimensions = 3};
  std::vector<Samples> sites = sites_on(cube, {8, 27, 64}, false);
  sites.erase(sites.begin(), sites.begin() + 4);
  for (const GridFit& fit : infer_grid(sites)) EXPECT_LT(fit.rule.dimensions, 3U);
}

TEST(Grid, FindsAFixedExtent) {
  const GridRule rule{Kind::fixed, 2, true, 1, 3, {}};
  EXPECT_EQ(grid_of(rule, {12, 15, 24}, true), "2-D with d1 = 3");
}

TEST(Grid, ListsWhatNoRuleYields) {
  const GridRule rule{
      .kind = Kind::listed, .dimensions = 2, .listed = {grid({2, 4}), grid({5, 3}), grid({8, 3})}};
  const auto fits = infer_grid(sites_on(rule, {8, 15, 24}, false));
  ASSERT_EQ(fits.size(), 1u);
  EXPECT_EQ(fits[0].rule.describe(), "2-D, no rule");
  EXPECT_EQ(fits[0].explained.size(), 4u);
  for (const World& w : rule.listed) EXPECT_EQ(fits[0].rule.extents(w.ranks), w.extents);
  EXPECT_FALSE(fits[0].rule.extents(100));
}

TEST(Grid, SaysNothingAboutARing) {
  const auto ring = sample(lines({4, 9, 16}), [](auto r, auto& w) { return (r + 1) % w.ranks; });
  EXPECT_TRUE(infer_grid(std::array{ring}).empty());
}

TEST(Grid, DecomposesAsMpiDimsCreateDoes) {
  const GridRule rule{.kind = Kind::balanced, .dimensions = 3, .smallest_first = false};
  EXPECT_EQ(*rule.extents(6), (std::vector<std::int64_t>{3, 2, 1}));
  EXPECT_EQ(*rule.extents(24), (std::vector<std::int64_t>{4, 3, 2}));
  EXPECT_EQ(*rule.extents(1024), (std::vector<std::int64_t>{16, 8, 8}));
  EXPECT_EQ(*rule.extents(1048576), (std::vector<std::int64_t>{128, 128, 64}));
  const GridRule closest{.kind = Kind::closest, .dimensions = 2};
  EXPECT_EQ(*closest.extents(1200), (std::vector<std::int64_t>{30, 40}));
  EXPECT_FALSE(GridRule({.kind = Kind::power, .dimensions = 2}).extents(12));
}

// The relative peers of every rank of a grid.
std::vector<std::vector<std::int64_t>> adjacency(const World& world, bool wrap) {
  std::vector<std::vector<std::int64_t>> out(static_cast<std::size_t>(world.ranks));
  for (std::int64_t r = 0; r < world.ranks; ++r) {
    for (std::size_t i = 0; i < world.extents.size(); ++i) {
      for (const std::int64_t step : {-1, 1}) {
        std::vector<std::int64_t> steps(world.extents.size());
        steps[i] = step;
        const std::int64_t peer = *neighbor(steps, wrap)(r, world);
        if (peer != trace::kProcNull) {
          // Relative modulo the ranks: a wrap of the slowest dimension does not show.
          out[static_cast<std::size_t>(r)].push_back((peer - r + world.ranks) % world.ranks);
        }
      }
    }
  }
  return out;
}

RC_GTEST_PROP(Digits, FindEveryStepInAGrid, ()) {
  const auto dimensions = *rc::gen::inRange<std::size_t>(1, 4);
  std::vector<World> worlds;
  for (int i = 0; i < 3; ++i) {
    worlds.push_back(grid(*rc::gen::container<std::vector<std::int64_t>>(
        dimensions, rc::gen::inRange<std::int64_t>(3, 6))));
  }
  const auto steps = *rc::gen::container<std::vector<std::int64_t>>(
      dimensions, rc::gen::inRange<std::int64_t>(-1, 2));
  const bool wrap = *rc::gen::arbitrary<bool>();
  const Truth truth = neighbor(steps, wrap);
  const auto offset = find_digit_offset(sample(worlds, truth));
  RC_ASSERT(offset);
  RC_ASSERT(offset->steps == steps);
  const World large = grid(std::vector<std::int64_t>(dimensions, 7));
  const bool seen_at_borders =
      wrap || offset->has_borders ||
      std::all_of(steps.begin(), steps.end(), [](std::int64_t s) { return s == 0; });
  if (seen_at_borders) {
    RC_ASSERT(explains(digit_expression(*offset), sample({large}, truth)));
  }
}

TEST(CriticalNodes, FindTheGridsOfThePaper) {
  // Figure 3: four columns and five rows that wrap, in groups of 5, 10 and 5 nodes. Figure 4: 3 x 4
  // x z.
  EXPECT_EQ(critical_extents(adjacency(grid({4, 5}), true)), (std::vector<std::int64_t>{4, 5}));
  EXPECT_EQ(critical_extents(adjacency(grid({3, 4, 5}), false)),
            (std::vector<std::int64_t>{3, 4, 5}));
  EXPECT_EQ(critical_extents(adjacency(grid({6, 3}), false)), (std::vector<std::int64_t>{6, 3}));
  EXPECT_EQ(critical_extents(adjacency(grid({9}), false)), (std::vector<std::int64_t>{9}));
}

}  // namespace
}  // namespace reprise::infer
