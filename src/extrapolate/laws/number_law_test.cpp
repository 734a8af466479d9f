#include "extrapolate/laws/number_law.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <functional>

#include "expr/parse.hpp"
#include "expr/print.hpp"
#include "infer/evaluator.hpp"
#include "trace/values/special.hpp"

namespace reprise::extrapolate {
namespace {

using infer::Sample;
using infer::Samples;
using Truth = std::function<std::int64_t(std::int64_t rank, std::int64_t ranks, std::int64_t i)>;

const Grids kSquares{{{.kind = infer::GridRule::Kind::power, .dimensions = 2}}, {0}, {}};

// `trips`: of a loop whose index is i0; 0: there is none.
Samples sample(const std::vector<std::int64_t>& worlds, std::int64_t trips, const Truth& truth) {
  Samples out;
  if (trips > 0) out.parameters = {"i0"};
  for (const std::int64_t p : worlds) {
    infer::WorldSamples world{{p, {}}, {}};
    for (std::int64_t r = 0; r < p; ++r) {
      for (std::int64_t i = 0; i < std::max<std::int64_t>(trips, 1); ++i) {
        Sample s{r, truth(r, p, i), {}};
        if (trips > 0) s.parameters.push_back(i);
        world.samples.push_back(std::move(s));
      }
    }
    out.worlds.push_back(std::move(world));
  }
  return out;
}

// Finds the law and holds it against the truth on more ranks.
void expect_law(const Grids& grids, const std::vector<std::int64_t>& worlds, std::int64_t trips,
                std::int64_t target, const Truth& truth) {
  LawSearch search(grids, target);
  const auto law = search.find(sample(worlds, trips, truth));
  ASSERT_TRUE(law) << describe(law.error());
  const auto world = grids.target(target, law->grid);
  ASSERT_TRUE(world);
  std::vector<std::string> parameters;
  if (trips > 0) parameters = {"i0"};
  auto evaluator = infer::Evaluator::make(law->expression, world->extents.size(), parameters);
  ASSERT_TRUE(evaluator) << print(law->expression);
  for (std::int64_t r = 0; r < target; ++r) {
    for (std::int64_t i = 0; i < std::max<std::int64_t>(trips, 1); ++i) {
      std::vector<std::int64_t> values;
      if (trips > 0) values = {i};
      ASSERT_EQ(evaluator->at(r, *world, values), truth(r, target, i))
          << "rank " << r << " trip " << i << ": " << print(law->expression);
    }
  }
}

// A recursion that goes down as many levels as the rank has, and returns.
TEST(NumberLaw, FollowsWhatIsStillToCome) {
  const auto world = [](std::int64_t ranks) {
    infer::WorldSamples out{{ranks, {}}, {}};
    for (std::int64_t r = 0; r < ranks; ++r) {
      const std::int64_t trips = 1 + std::countr_zero(static_cast<std::uint64_t>(r | ranks));
      for (std::int64_t i = 0; i < trips; ++i) {
        out.samples.push_back({r, 2 + (ranks >> (trips - 1 - i)), {trips, i}});
      }
    }
    return out;
  };
  Samples samples{.parameters = {"t0", "i0"}, .worlds = {}};
  for (const std::int64_t ranks : {4, 8, 16, 32}) samples.worlds.push_back(world(ranks));
  LawSearch search({}, 1024);
  const auto law = search.find(samples);
  ASSERT_TRUE(law) << describe(law.error());
  EXPECT_EQ(print(law->expression), "(ranks >> t0 - 1 - i0) + 2");
}

std::int64_t root(std::int64_t n) {
  std::int64_t d = 0;
  while ((d + 1) * (d + 1) <= n) ++d;
  return d;
}

TEST(NumberLaw, NeighborsAreCountedBySumsOfConditions) {
  LawSearch search(kSquares, 49);
  const auto x = [](std::int64_t r, std::int64_t p) { return r % root(p); };
  const auto y = [](std::int64_t r, std::int64_t p) { return r / root(p); };
  const std::vector<Truth> sides = {[&](auto r, auto p, auto) { return x(r, p) > 0; },
                                    [&](auto r, auto p, auto) { return x(r, p) + 1 < root(p); },
                                    [&](auto r, auto p, auto) { return y(r, p) > 0; },
                                    [&](auto r, auto p, auto) { return y(r, p) + 1 < root(p); }};
  for (const Truth& side : sides) ASSERT_TRUE(search.find(sample({4, 9, 16}, 0, side)));
  const Truth count = [&](auto r, auto p, auto i) {
    std::int64_t n = 0;
    for (const Truth& side : sides) n += 2 * side(r, p, i);
    return n;
  };
  const auto law = search.find(sample({4, 9, 16}, 0, count));
  ASSERT_TRUE(law) << describe(law.error());
  EXPECT_TRUE(law->of_rank);
  const auto world = kSquares.target(49, law->grid);
  ASSERT_TRUE(world);
  auto at = infer::Evaluator::make(law->expression, world->extents.size());
  ASSERT_TRUE(at);
  for (std::int64_t r = 0; r < 49; ++r) EXPECT_EQ(at->at(r, *world), count(r, 49, 0)) << r;
}

TEST(NumberLaw, EachTripOfAShortLoopMayHaveALawOfItsOwn) {
  expect_law(kSquares, {9, 16, 25}, 4, 36, [](auto r, auto p, auto i) {
    const std::int64_t d = root(p), x = r % d, y = r / d;
    if (i == 0) return y * d + (x + 1) % d;
    if (i == 1) return y * d + (x + d - 1) % d;
    if (i == 2) return (y + 1) % d * d + x;
    return (y + d - 1) % d * d + x;
  });
}

TEST(NumberLaw, BlocksGoRoundARing) {
  const auto block = [](std::int64_t n, std::int64_t r, std::int64_t p) {
    return n / p + (r < n % p ? 1 : 0);
  };
  expect_law({}, {4, 6, 9}, 3, 16,
             [&](auto r, auto p, auto i) { return block(250, (r - i + p) % p, p); });
}

TEST(NumberLaw, StartsOfBlocks) {
  expect_law({}, {4, 6, 9}, 0, 13, [](auto r, auto p, auto) {
    return r * (1000 / p) + std::min<std::int64_t>(r, 1000 % p);
  });
}

// The share of everybody is rounded up, so that the last have less; a whole that grows tells which
// way of cutting it is.
TEST(NumberLaw, BlocksOfCeilingsThatGrow) {
  const auto start = [](std::int64_t r, std::int64_t p, std::int64_t i) {
    const std::int64_t n = 100 + 7 * i;
    return std::min(r * ((n + p - 1) / p), n);
  };
  const auto size = [&](std::int64_t r, std::int64_t p, std::int64_t i) {
    return start(r + 1, p, i) - start(r, p, i);
  };
  expect_law({}, {4, 6, 9, 12}, 5, 16, size);
  expect_law({}, {4, 6, 9, 12, 15}, 5, 32, start);
}

// All of these are 27 27 27 26, 18 ... 17, 12 ... 11 and 9 ... 8 however they are cut.
TEST(NumberLaw, BlocksThatTwoWaysOfCuttingExplainAreRefused) {
  const Samples blocks = sample(
      {4, 6, 9, 12}, 0, [](auto r, auto p, auto) { return 107 / p + (r < 107 % p ? 1 : 0); });
  EXPECT_FALSE(LawSearch({}, 16).find(blocks));
}

// Components that share out the ranks among them, and a few ranks of each that are none's.
TEST(NumberLaw, ComponentsStandOnStretchesOfRanks) {
  const auto component = [](auto r, auto p) {
    return r < p / 2 ? 0 : r < p / 2 + p / 3 ? 7 : r + 1 < p ? 3 : 4;
  };
  const std::vector<std::int64_t> runs = {12, 16, 20, 25, 33};
  expect_law({}, runs, 0, 1000, [&](auto r, auto p, auto) { return component(r, p); });
  expect_law({}, runs, 0, 1000, [&](auto r, auto p, auto) { return component(r, p) == 7; });
  expect_law({}, runs, 0, 1000, [&](auto r, auto p, auto) { return component(r, p) != 7; });
  expect_law({}, {12, 16, 21, 26, 33, 37, 41, 48}, 0, 1000, [&](auto r, auto p, auto) {
    return r % 5 == 4 ? trace::kUndefined : component(r, p);
  });
  // Every eighth rank serves files.
  const std::vector<std::int64_t> more = {12, 20, 25, 28, 33, 40, 50};
  expect_law({}, more, 0, 1000,
             [&](auto r, auto p, auto) { return r % 8 == 7 ? 9 : component(r, p); });
  expect_law({}, more, 0, 1000, [&](auto r, auto p, auto) { return r % 8 != 7 && r < p / 3; });
}

TEST(NumberLaw, EveryMthRankIsApart) {
  const std::vector<std::int64_t> runs = {12, 20, 27, 40};
  expect_law({}, runs, 0, 1000, [](auto r, auto, auto) { return r % 5 == 4; });
  expect_law({}, runs, 0, 1000, [](auto r, auto, auto) { return r % 7 != 3; });
  expect_law({}, runs, 0, 1000, [](auto r, auto, auto) { return r % 11 < 4; });
  // The first rank has other things to do.
  expect_law({}, runs, 0, 1000, [](auto r, auto, auto) { return r > 0 && r % 4 == 0; });
  // Two servers in all, and none that another eight ranks would bring.
  expect_law({}, runs, 0, 1000, [](auto r, auto, auto) { return r == 3 || r == 11; });
}

// Even numbers of ranks form a square or the like, odd ones a line: 4 and 9 may be anything.
TEST(NumberLaw, RunsWithoutPeersConfirmNothing) {
  const auto next = [](auto r, auto p, auto) -> std::int64_t {
    const std::int64_t width = p == 16 ? 4 : 9;
    return p % 2 == 0 && r + width < p ? r + width : trace::kProcNull;
  };
  const auto law = LawSearch({}, 1024).find(sample({16, 25, 36, 49}, 0, next));
  EXPECT_TRUE(!law || law->standing != solve::Standing::confirmed) << print(law->expression);
}

// The loops around two calls may be the same ones from outside in, or from inside out.
TEST(NumberLaw, CallsRepeatLawsOfOthers) {
  FoundLaws found;
  const auto law = expr::parse("7 * (i1 * ranks + 3 * rank) % 11 + 1000 * (i0 % 3)");
  ASSERT_TRUE(law);
  found.add({.expression = *law}, 2);
  const auto outer = found.within(3, {});
  ASSERT_EQ(outer.laws.size(), 3U);
  EXPECT_EQ(print(outer.laws[0].law), print(*law));
  // What a list has for each rank.
  EXPECT_EQ(print(outer.laws[1].law), "7 * (i1 * ranks + 3 * index) % 11 + 1000 * (i0 % 3)");
  EXPECT_EQ(print(outer.laws[2].law), "7 * (i2 * ranks + 3 * rank) % 11 + 1000 * (i1 % 3)");
  EXPECT_EQ(found.within(2, {}).laws.size(), 2U);
}

// Coordinates of another grid are others.
TEST(NumberLaw, CallsRepeatLawsOnTheirGrid) {
  FoundLaws found;
  const auto law = expr::parse("7 * (x0 * ranks + 3 * d1) % 11 + 1000 * (x1 == 3 * d0)");
  ASSERT_TRUE(law);
  found.add({.expression = *law, .grid = 1, .standing = solve::Standing::explains}, 0);
  EXPECT_TRUE(found.within(0, {}).laws.empty());
  EXPECT_TRUE(found.within(0, 0).conditions.empty());
  const auto here = found.within(0, 1);
  ASSERT_EQ(here.laws.size(), 1U);
  EXPECT_EQ(here.laws[0].standing, solve::Standing::explains);
  ASSERT_EQ(here.conditions.size(), 1U);
  EXPECT_EQ(print(here.conditions[0]), "x1 == 3 * d0");
}

// Coordinates of cells, of confirmed laws alone.
TEST(NumberLaw, KnowsHowCellsMove) {
  FoundLaws found;
  const auto law = expr::parse("10 * sum(k, d0, ((x0 + k) % d0 != 0) * ((x1 - k) % d0)) + x0 % d0");
  ASSERT_TRUE(law);
  found.add({.expression = *law, .standing = solve::Standing::explains}, 0);
  EXPECT_TRUE(found.moves().empty());
  found.add({.expression = *law, .standing = solve::Standing::confirmed}, 0);
  ASSERT_EQ(found.moves().size(), 2U);
  EXPECT_EQ(print(found.moves()[0]), "(x0 + k) % d0");
  EXPECT_EQ(print(found.moves()[1]), "(x1 - k) % d0");
}

TEST(NumberLaw, SharesAreRounded) {
  const std::vector<std::int64_t> runs = {6, 9, 12, 16, 20, 25};
  expect_law({}, runs, 0, 1000, [](auto, auto p, auto) { return p - (p + 2) / 3; });
  expect_law({}, runs, 0, 1000, [](auto, auto p, auto) { return (p - 1) / 2 * 2; });
}

// Two thirds, but never all: 8 ranks of 12, where (5 * 12 + 3) / 7 are 9; communicators of every
// size up to the largest may come.
TEST(NumberLaw, SharesLeaveSomebody) {
  const auto lower = [](auto r, auto p, auto) { return r < (2 * p + 2) / 3 && r + 1 < p; };
  const auto find = [&](const std::vector<std::int64_t>& sizes) {
    return LawSearch({}, 64, {}, {}, LawSearch::Sizes::up_to).find(sample(sizes, 0, lower));
  };
  const std::vector<std::vector<std::int64_t>> runs = {{2, 3, 4, 5, 6, 8, 11, 14, 17},
                                                       {2, 3, 4, 5, 7, 10, 13, 15, 18, 22, 32, 48}};
  for (const std::vector<std::int64_t>& sizes : runs) {
    const auto law = find(sizes);
    ASSERT_TRUE(law) << describe(law.error());
    auto evaluator = infer::Evaluator::make(law->expression, 0);
    ASSERT_TRUE(evaluator);
    for (std::int64_t p = 2; p <= 64; ++p) {
      for (std::int64_t r = 0; r < p; ++r) {
        ASSERT_EQ(evaluator->at(r, {p, {}}), lower(r, p, 0)) << print(law->expression);
      }
    }
  }
}

// (240 / ranks + 1) * (i + 1), of which 10 * (24 / ranks) + 1 is another reading on 4, 8 and 12
// ranks, which rounds on 16. What the program was told leaves no doubt.
TEST(NumberLaw, NumbersOfTheCommandLineAreLikely) {
  const auto truth = [](auto, auto p, auto i) { return (240 / p + 1) * (i + 1); };
  const Samples samples = sample({4, 8, 12}, 5, truth);
  const auto untold = LawSearch({}, 16).find(samples);
  ASSERT_TRUE(untold) << describe(untold.error());
  EXPECT_TRUE(untold->rounded);
  const auto law = LawSearch({}, 16, {}, {240, 96}).find(samples);
  ASSERT_TRUE(law) << describe(law.error());
  const std::vector<std::string> parameters = {"i0"};
  auto evaluator = infer::Evaluator::make(law->expression, 0, parameters);
  ASSERT_TRUE(evaluator);
  const std::vector<std::int64_t> second = {1};
  EXPECT_FALSE(law->rounded);
  EXPECT_EQ(evaluator->at(0, {16, {}}, second), 32) << print(law->expression);
}

// rank + (0, -1, 1) on grids of 2 x 2 x 2, 2 x 2 x 3 and so on, which d2 * (ranks / 5) and others
// fit that are no neighbors.
TEST(NumberLaw, DistancesAreOfNeighborsWhereGridsAreSeen) {
  using World = infer::World;
  const std::vector<World> all = {
      {8, {2, 2, 2}}, {12, {2, 2, 3}}, {24, {2, 3, 4}}, {27, {3, 3, 3}}, {60, {3, 4, 5}}};
  const Grids grids{
      {{.kind = infer::GridRule::Kind::listed, .dimensions = 3, .listed = all}}, {0}, {}};
  for (std::int64_t y = -1; y <= 1; ++y) {
    for (std::int64_t z = -1; z <= 1; ++z) {
      if (y == 0 && z == 0) continue;
      const auto distance = [&](std::int64_t, std::int64_t p, std::int64_t) {
        const auto& d = std::ranges::find(all, p, &World::ranks)->extents;
        return (y * d[0] + z * d[0] * d[1] + p) % p;
      };
      Samples samples = sample({8, 12, 24, 27}, 0, distance);
      samples.are_distances = true;
      const auto law = LawSearch(grids, 60).find(samples);
      ASSERT_TRUE(law) << describe(law.error());
      auto evaluator = infer::Evaluator::make(law->expression, 3);
      ASSERT_TRUE(evaluator);
      EXPECT_EQ(evaluator->at(0, all.back()), distance(0, 60, 0)) << print(law->expression);
    }
  }
}

// Without neighbors that show a grid, an extent and a logarithm are two guesses.
TEST(NumberLaw, LawsOnDifferentGridsAreCompared) {
  const Grids guessed{{{.kind = infer::GridRule::Kind::balanced, .dimensions = 2}}, {}, {}};
  const Samples extents = sample({4, 6, 9, 12}, 0, [](auto, auto p, auto) { return root(p); });
  EXPECT_FALSE(LawSearch(guessed, 64).find(extents));
  const Grids seen{guessed.rules, {0}, {}};
  const auto law = LawSearch(seen, 64).find(extents);
  ASSERT_TRUE(law) << describe(law.error());
  EXPECT_EQ(print(law->expression), "d0");
}

TEST(NumberLaw, WhatOnlyTheRootHasIsAConditionAndALaw) {
  expect_law({}, {4, 6, 9, 12}, 0, 64, [](auto r, auto p, auto) { return r + 1 == p ? p : 0; });
  expect_law({}, {4, 6, 9, 12}, 5, 64, [](auto r, auto p, auto i) { return r == i % p ? p : 0; });
}

// 32 * ((ranks + 8) / ranks) and whatever else changes once between 8 and 16 ranks.
// On squares every extent is the root of the number of ranks; on an oblong these are three numbers.
TEST(NumberLaw, SquaresDoNotTellTheExtentsOfOblongs) {
  const auto stride = [](std::int64_t, std::int64_t p, std::int64_t) {
    return std::int64_t{p == 4 ? 2 : p == 9 ? 3 : 4};
  };
  Grids grids = kSquares;
  grids.wanted = {4, 16};
  const auto law = LawSearch(grids, 64).find(sample({4, 9, 16}, 0, stride));
  ASSERT_FALSE(law) << print(law->expression);
  EXPECT_EQ(law.error().why, NoLaw::Why::rivals) << describe(law.error());
}

// It is 1 from 24 ranks on; what others explain it comes to 0, or less.
TEST(NumberLaw, QuotientsThatEndAreRefused) {
  const auto rounded_up = [](std::int64_t, std::int64_t p, std::int64_t) {
    return (549 + p * p) / (p * p);
  };
  const auto law = LawSearch({}, 96).find(sample({12, 16, 20, 24, 30}, 0, rounded_up));
  EXPECT_FALSE(law) << print(law->expression);
}

TEST(NumberLaw, ThresholdsAreRefused) {
  EXPECT_FALSE(LawSearch({}, 32).find(
      sample({8, 16, 64}, 0, [](auto, auto p, auto) { return p == 8 ? 64 : 32; })));
}

TEST(NumberLaw, SpecialValuesHaveConditions) {
  expect_law({}, {4, 6, 9}, 0, 20, [](auto r, auto p, auto) {
    return r == 0 ? trace::kAnySource : r + 1 == p ? trace::kUndefined : r;
  });
}

TEST(NumberLaw, WhatFollowsNoLawIsRefused) {
  LawSearch search({}, 32);
  const auto law = search.find(sample({4, 8, 16}, 0, [](auto r, auto p, auto) {
    return std::int64_t{7919} * (r + 3) * (r + p) % 101;
  }));
  EXPECT_FALSE(law);
}

}  // namespace
}  // namespace reprise::extrapolate
