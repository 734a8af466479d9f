#include "infer/value_law.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>

#include "expr/parse.hpp"
#include "expr/print.hpp"
#include "infer/bits.hpp"
#include "infer/digits.hpp"
#include "infer/evaluator.hpp"
#include "infer/sample_of.hpp"

namespace reprise::infer {
namespace {

// The text of the law, after its prediction for the target was compared with the truth.
std::string law_of(const std::vector<World>& worlds, const Truth& truth, const World& target) {
  const Result<Law> law = infer_value(sample(worlds, truth), {.target = target});
  if (!law) return law.error().message;
  EXPECT_EQ(law->standing, worlds.size() < 3 ? Standing::explains : Standing::confirmed)
      << print(law->expression);
  EXPECT_TRUE(explains(law->expression, make_table(sample({target}, truth))))
      << print(law->expression);
  return print(law->expression);
}

const std::vector<World> kDiverse = {grid({4, 2}), grid({5, 3}), grid({3, 8}), grid({6, 4})};
const World kLarge = grid({7, 5});
const std::vector<World> kPowers = lines({4, 8, 16, 32});

TEST(ValueLaw, Constant) {
  EXPECT_EQ(law_of(lines({4, 6, 9}), [](auto, auto&) { return 3; }, {100, {}}), "3");
  EXPECT_EQ(law_of(lines({4, 6}), [](auto, auto&) { return trace::kProcNull; }, {100, {}}),
            "proc_null");
}

TEST(ValueLaw, OffsetModuloTheRanks) {
  const auto ring = [](std::int64_t by) {
    return [by](std::int64_t r, const World& w) { return (r + by + w.ranks) % w.ranks; };
  };
  EXPECT_EQ(law_of(lines({4, 6, 9}), ring(1), {100, {}}), "(rank + 1) % ranks");
  EXPECT_EQ(law_of(lines({4, 6, 9}), ring(-1), {100, {}}), "(rank - 1) % ranks");
  EXPECT_EQ(law_of(lines({4, 6}), ring(2), {100, {}}), "(rank + 2) % ranks");
  const auto opposite = [](std::int64_t r, const World& w) { return (r + w.ranks / 2) % w.ranks; };
  EXPECT_EQ(law_of(lines({4, 6, 10}), opposite, {100, {}}), "(rank + ranks / 2) % ranks");
}

TEST(ValueLaw, ChainEndsInProcNull) {
  const auto next = [](std::int64_t r, const World& w) {
    return r + 1 < w.ranks ? r + 1 : trace::kProcNull;
  };
  EXPECT_EQ(law_of(lines({4, 6, 9}), next, {100, {}}), "rank < ranks - 1 ? rank + 1 : proc_null");
}

// On how many levels of a binomial tree of a power of two of ranks a rank takes part.
std::int64_t levels(std::int64_t rank, const World& w) {
  return std::countr_zero(static_cast<std::uint64_t>(rank | w.ranks));
}

TEST(ValueLaw, LevelsOfABinomialTree) {
  const auto to_parent = [](std::int64_t r, const World& w) {
    return r == 0 ? trace::kProcNull : r - (std::int64_t{1} << levels(r, w));
  };
  const auto calls = [](std::int64_t r, const World& w) { return levels(r, w) + (r == 0 ? 1 : 2); };
  EXPECT_EQ(law_of(kPowers, levels, {1024, {}}), "ctz(rank + ranks)");
  EXPECT_EQ(law_of(kPowers, calls, {1024, {}}), "ctz(rank + ranks) + (rank > 0 ? 2 : 1)");
  EXPECT_EQ(law_of(kPowers, to_parent, {1024, {}}), "rank > 0 ? rank & rank - 1 : proc_null");
}

TEST(ValueLaw, NeighboursOnLevels) {
  // On level i every 2^i-th rank takes part, and its neighbour is so many ranks further.
  const auto on_levels = [](const World& w) {
    WorldSamples out{w, {}};
    for (std::int64_t r = 0; r < w.ranks; ++r) {
      for (std::int64_t i = 0; i <= levels(r, w); ++i) {
        const std::int64_t next = r + (std::int64_t{1} << i);
        out.samples.push_back({r, next < w.ranks ? next : trace::kProcNull, {i}});
      }
    }
    return out;
  };
  Samples samples{.parameters = {"i0"}, .worlds = {}};
  for (const World& w : kPowers) samples.worlds.push_back(on_levels(w));
  const World target{256, {}};
  const auto law = infer_value(samples, {.target = target});
  ASSERT_TRUE(law) << law.error().message;
  EXPECT_EQ(law->standing, Standing::confirmed);
  EXPECT_TRUE(explains(law->expression, make_table({samples.parameters, {on_levels(target)}})))
      << print(law->expression);
}

TEST(ValueLaw, WorldsWithoutPeersConfirmNothing) {
  // Even numbers of ranks form a square or the like, odd ones a line: 4 and 9 may be anything.
  const auto next = [](std::int64_t r, const World& w) {
    const std::int64_t width = w.ranks == 16 ? 4 : 9;
    return w.ranks % 2 == 0 && r + width < w.ranks ? r + width : trace::kProcNull;
  };
  const auto law = infer_value(sample(lines({16, 25, 36, 49}), next), {.target = World{1024, {}}});
  ASSERT_TRUE(law) << law.error().message;
  EXPECT_EQ(law->standing, Standing::contradicted) << print(law->expression);
}

TEST(ValueLaw, NeighboursInTwoDimensions) {
  EXPECT_EQ(law_of(kDiverse, neighbour({0, 1}, true), kLarge), "(rank + d0) % ranks");
  EXPECT_EQ(law_of(kDiverse, neighbour({1, 0}, true), kLarge), "rank - x0 + (x0 + 1) % d0");
  EXPECT_EQ(law_of(kDiverse, neighbour({0, -1}, false), kLarge), "x1 > 0 ? rank - d0 : proc_null");
  EXPECT_EQ(law_of(kDiverse, neighbour({1, 1}, false), kLarge),
            "x0 < d0 - 1 && x1 < d1 - 1 ? rank + 1 + d0 : proc_null");
}

// Where a grid is two ranks wide, the one to the right is the one to the left.
TEST(ValueLaw, StepsThatAreOneOfSeveralAreRefused) {
  const std::vector<World> narrow = {grid({2, 2}), grid({2, 3}), grid({2, 5})};
  const Samples samples = sample(narrow, neighbour({1, 0}, true));
  const auto law = infer_value(samples, {.target = grid({4, 5})});
  ASSERT_FALSE(law);
  EXPECT_NE(law.error().message.find("do not tell"), std::string::npos) << law.error().message;
  EXPECT_TRUE(infer_value(samples, {.target = grid({2, 7})}));
}

TEST(ValueLaw, NeighboursInThreeDimensions) {
  const std::vector<World> worlds = {grid({2, 3, 4}), grid({4, 3, 2}), grid({3, 2, 5})};
  const World large = grid({5, 4, 6});
  for (const bool wrap : {false, true}) {
    for (const auto& steps : std::vector<std::vector<std::int64_t>>{
             {1, 0, 0}, {0, 1, 0}, {0, 0, -1}, {1, -1, 0}, {-1, 1, 1}}) {
      law_of(worlds, neighbour(steps, wrap), large);
    }
  }
  EXPECT_EQ(law_of(worlds, neighbour({0, 1, 0}, true), large), "rank + ((x1 + 1) % d1 - x1) * d0");
}

RC_GTEST_PROP(ValueLaw, FindsEveryStepInAGrid, ()) {
  const auto dimensions = *rc::gen::inRange<std::size_t>(1, 4);
  std::vector<World> worlds;
  for (int i = 0; i < 3; ++i) {
    worlds.push_back(grid(*rc::gen::container<std::vector<std::int64_t>>(
        dimensions, rc::gen::inRange<std::int64_t>(3, 6))));
  }
  const auto steps = *rc::gen::container<std::vector<std::int64_t>>(
      dimensions, rc::gen::inRange<std::int64_t>(-1, 2));
  const bool wrap = *rc::gen::arbitrary<bool>();
  const Truth truth = neighbour(steps, wrap);
  const auto offset = find_digit_offset(sample(worlds, truth));
  RC_ASSERT(offset);
  RC_ASSERT(offset->steps == steps);
  const World large = grid(std::vector<std::int64_t>(dimensions, 7));
  const bool seen_at_borders =
      wrap || offset->has_borders ||
      std::all_of(steps.begin(), steps.end(), [](std::int64_t s) { return s == 0; });
  if (seen_at_borders) {
    RC_ASSERT(explains(digit_expression(*offset), make_table(sample({large}, truth))));
  }
}

TEST(ValueLaw, MirrorsAndLeaders) {
  EXPECT_EQ(law_of(lines({4, 6, 9}), [](auto r, auto& w) { return w.ranks - 1 - r; }, {50, {}}),
            "ranks - (rank + 1)");
  const auto row_leader = [](std::int64_t r, const World& w) { return r - r % w.extents[0]; };
  EXPECT_EQ(law_of(kDiverse, row_leader, kLarge), "rank - x0");
  const auto mirror_in_row = [](std::int64_t r, const World& w) {
    const auto x = coordinates(r, w.extents);
    return w.extents[0] - 1 - x[0] + x[1] * w.extents[0];
  };
  law_of(kDiverse, mirror_in_row, kLarge);
}

TEST(ValueLaw, TransposesAnyGrid) {
  const auto transpose = [](std::int64_t r, const World& w) {
    const auto x = coordinates(r, w.extents);
    return x[1] + x[0] * w.extents[1];
  };
  law_of(kDiverse, transpose, kLarge);
  EXPECT_EQ(law_of({grid({3, 3}), grid({4, 4}), grid({5, 5})}, transpose, grid({9, 9})).size(),
            std::string("x1 + x0 * d0").size());
}

TEST(ValueLaw, TwoCases) {
  EXPECT_EQ(law_of(lines({4, 7, 9}), [](auto r, auto&) { return r == 0 ? 70 : 30; }, {100, {}}),
            "rank > 0 ? 30 : 70");
  const auto ends_at_itself = [](std::int64_t r, const World& w) {
    const auto x = coordinates(r, w.extents);
    return x[1] == w.extents[1] - 1 ? 1000 : r + w.extents[0];
  };
  EXPECT_EQ(law_of(kDiverse, ends_at_itself, kLarge), "x1 + 1 < d1 ? rank + d0 : 1000");
}

TEST(ValueLaw, TreesOfPowersOfTwo) {
  const auto parent = [](std::int64_t r, const World&) {
    return r == 0 ? trace::kProcNull : r & (r - 1);
  };
  EXPECT_EQ(law_of(lines({4, 7, 9, 16}), parent, {100, {}}),
            "rank > 0 ? rank & rank - 1 : proc_null");
}

TEST(ValueLaw, ButterfliesOfALoop) {
  Samples samples{{"i0"}, {}};
  for (const std::int64_t p : {4, 8, 16}) {
    WorldSamples world{{p, {}}, {}};
    for (std::int64_t r = 0; r < p; ++r) {
      for (std::int64_t i = 0; 1 << i < p; ++i) world.samples.push_back({r, r ^ (1 << i), {i}});
    }
    samples.worlds.push_back(world);
  }
  const Result<Law> law = infer_value(samples);
  ASSERT_TRUE(law) << law.error().message;
  EXPECT_EQ(print(law->expression), "rank ^ 1 << i0");
  EXPECT_EQ(law->standing, Standing::confirmed);
}

TEST(ValueLaw, MovesBits) {
  const World large{256, {}};
  EXPECT_EQ(law_of(
                kPowers, [](auto r, auto&) { return r ^ 2; }, large),
            "rank ^ 2");
  EXPECT_EQ(law_of(
                kPowers, [](auto r, auto& w) { return r ^ (w.ranks / 2); }, large),
            "(rank + ranks / 2) % ranks");
  const auto shuffle = [](std::int64_t r, const World& w) {
    return 2 * r % w.ranks + 2 * r / w.ranks;
  };
  EXPECT_EQ(law_of(kPowers, shuffle, large), "rank % (ranks / 2) * 2 + rank / (ranks / 2)");
  const auto reverse = [](std::int64_t r, const World& w) {
    std::int64_t out = 0;
    for (std::int64_t bit = 1; bit < w.ranks; bit *= 2) out = 2 * out + (r & bit ? 1 : 0);
    return out;
  };
  EXPECT_EQ(law_of(kPowers, reverse, large), "reverse(rank, ranks)");
}

// NAS CG: the exchange of a square grid, and of one with twice as many columns as rows.
TEST(ValueLaw, TransposesOfCg) {
  const auto exchange = [](std::int64_t r, const World& w) {
    std::int64_t rows = 1;
    while (rows * rows * 4 <= w.ranks) rows *= 2;
    if (rows * rows == w.ranks) return r % rows * rows + r / rows;
    return 2 * (r / 2 % rows * rows + r / 2 / rows) + r % 2;
  };
  law_of(lines({4, 16, 64}), exchange, {256, {}});
  law_of(lines({8, 32, 128}), exchange, {512, {}});
}

// What programs do, in four shapes, and in one that was not seen.
constexpr const char* kPrograms[] = {
    "ranks - 1",
    "(rank - 1) % ranks",
    "x0 + 1 < d0 ? rank + 1 : proc_null",
    "x1 > 0 ? rank - d0 : proc_null",
    "(x0 + 1) % d0 + x1 * d0",
    "x0 + (x1 - 1) % d1 * d0",
    "(x0 + 1) % d0 + (x1 + 1) % d1 * d0",
    "x0 > 0 && x1 > 0 ? rank - d0 - 1 : proc_null",
    "x1 * d0",
    "x0",
    "x1 + x0 * d1",
    "d0 - 1 - x0 + x1 * d0",
    "x0 + (d1 - 1 - x1) * d0",
    "(rank ^ 1) < ranks ? rank ^ 1 : proc_null",
    "(rank + ranks / 2) % ranks",
    "x0 == 0 ? proc_null : x1 * d0",
    "rank % 2 == 0 ? rank + 1 < ranks ? rank + 1 : proc_null : rank - 1",
    "2 * rank + 1 < ranks ? 2 * rank + 1 : proc_null",
    "rank == 0 ? proc_null : (rank - 1) / 2",
    "rank == 0 ? ranks - 1 : 0",
    "(x0 + x1) % d0 + x1 * d0",
    "(x0 - x1) % d0 + x1 * d0",
    "x0 + 2 < d0 ? rank + 2 : proc_null",
    "rank < d0 ? proc_null : rank % d0",
    "x0 == d0 - 1 ? rank - x0 : rank + 1",
    "rank - rank % 4",
};

// Columns are rows or twice as many; the lowest bit stays where they are twice as many.
TEST(ValueLaw, TransposesSquaresAndOblongsAlike) {
  const auto transposed = [](std::int64_t r, const World& w) {
    const std::int64_t bits = std::countr_zero(static_cast<std::uint64_t>(w.ranks));
    const std::int64_t wide = 1 + bits % 2, columns = (std::int64_t{1} << (bits / 2)) * wide;
    const std::int64_t x = r % columns, y = r / columns;
    return x / wide * columns + y * wide + x % wide;
  };
  for (const std::int64_t target : {128, 1024}) {
    const auto law = infer_value(sample(kPowers, transposed), {.target = World{target, {}}});
    ASSERT_TRUE(law) << law.error().message;
    EXPECT_TRUE(explains(law->expression, make_table(sample({World{target, {}}}, transposed))))
        << print(law->expression);
  }
}

TEST(ValueLaw, FindsWhatProgramsDo) {
  for (const char* text : kPrograms) {
    auto program = *Evaluator::make(*expr::parse(text), 2);
    const Truth truth = [&](std::int64_t r, const World& w) { return program.at(r, w); };
    law_of(kDiverse, truth, grid({20, 30}));
    EXPECT_FALSE(HasFailure()) << text;
    if (HasFailure()) return;
  }
}

TEST(ValueLaw, RefusesWhatItCannotKnow) {
  const auto table = [](std::int64_t r, const World&) {
    constexpr std::int64_t kPeers[] = {3, 0, 2, 5, 1, 4, 7, 6, 8, 11, 9, 10};
    return kPeers[r];
  };
  const Result<Law> none = infer_value(sample(lines({6, 8, 9, 12}), table));
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("no expression explains"), std::string::npos);
  // On square grids a column cannot be told from a row.
  const auto transpose = [](std::int64_t r, const World& w) {
    const auto x = coordinates(r, w.extents);
    return x[1] + x[0] * w.extents[1];
  };
  const Result<Law> two =
      infer_value(sample({grid({3, 3}), grid({4, 4})}, transpose), {.target = grid({4, 6})});
  ASSERT_FALSE(two);
  EXPECT_NE(two.error().message.find("do not tell"), std::string::npos) << two.error().message;
}

}  // namespace
}  // namespace reprise::infer
