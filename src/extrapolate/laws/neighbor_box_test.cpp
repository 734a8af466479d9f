// Boxes of neighbors, held against an enumeration by nested loops.
#include "extrapolate/laws/neighbor_box.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "infer/evaluator.hpp"

namespace reprise::extrapolate {
namespace {

using Extents = std::vector<std::int64_t>;
using Offsets = std::vector<std::int64_t>;
// Whether a step is one of a program's.
using Accepts = std::function<bool(const Step&)>;

bool is_self(const Step& step) { return step == Step(step.size(), 0); }
bool is_other(const Step& step) { return !is_self(step); }

// Loops over dimensions, the outermost first, each over its offsets.
struct BoxLoops {
  std::vector<std::size_t> loops;
  std::vector<Offsets> offsets;  // [loops]
  Accepts accepts = is_other;
  std::vector<std::size_t> cyclic = {};  // dimensions

  bool is_cyclic(std::size_t dimension) const {
    return std::ranges::find(cyclic, dimension) != cyclic.end();
  }
};

std::vector<Step> steps_of(const BoxLoops& program, const Extents& extents, std::int64_t rank) {
  const auto here = infer::coordinates(rank, extents);
  std::vector<Step> out{Step(extents.size(), 0)};
  for (std::size_t l = 0; l < program.loops.size(); ++l) {
    const std::size_t dimension = program.loops[l];
    std::vector<Step> longer;
    for (const Step& step : out) {
      for (const std::int64_t o : program.offsets[l]) {
        const std::int64_t there = here[dimension] + o;
        const bool is_beyond = there < 0 || there >= extents[dimension];
        if (is_beyond && !program.is_cyclic(dimension)) continue;
        longer.push_back(step);
        longer.back()[dimension] = o;
      }
    }
    out = std::move(longer);
  }
  std::erase_if(out, [&](const Step& s) { return !program.accepts(s); });
  return out;
}

// Round the cyclic dimensions.
std::vector<std::int64_t> target_of(const BoxLoops& program, const Extents& extents,
                                    std::int64_t rank, const Step& step) {
  auto there = infer::coordinates(rank, extents);
  for (std::size_t k = 0; k < step.size(); ++k) {
    there[k] += step[k];
    if (program.is_cyclic(k)) there[k] = (there[k] + extents[k]) % extents[k];
  }
  return there;
}

std::vector<RankSteps> steps_on(const BoxLoops& program, const std::vector<Extents>& runs) {
  std::vector<RankSteps> out;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    std::int64_t ranks = 1;
    for (const std::int64_t d : runs[run]) ranks *= d;
    for (std::int64_t r = 0; r < ranks; ++r) {
      out.push_back({run, static_cast<std::size_t>(r), steps_of(program, runs[run], r)});
    }
  }
  return out;
}

std::optional<NeighborBox> box_of(const BoxLoops& program, const std::vector<Extents>& runs) {
  std::vector<RankSteps> ranks = steps_on(program, runs);
  for (RankSteps& r : ranks) {
    const auto rank = static_cast<std::int64_t>(r.rank);
    const auto here = infer::coordinates(rank, runs[r.run]);
    for (Step& step : r.steps) {
      step = target_of(program, runs[r.run], rank, step);
      for (std::size_t k = 0; k < step.size(); ++k) step[k] -= here[k];
    }
  }
  return NeighborBox::find(ranks, runs);
}

std::int64_t number_at(const expr::Expr& e, std::int64_t rank, const Extents& extents,
                       std::int64_t index) {
  std::int64_t ranks = 1;
  for (const std::int64_t d : extents) ranks *= d;
  const std::vector<std::string> parameters = {"i0"};
  auto evaluator = infer::Evaluator::make(e, extents.size(), parameters);
  EXPECT_TRUE(evaluator);
  const auto out = evaluator->at(rank, {ranks, extents}, std::vector{index});
  EXPECT_TRUE(out);
  return out.value_or(-1);
}

// Finds the box from some grids, and compares all that it says on another one.
void expect_box(const BoxLoops& program, const std::vector<Extents>& runs, const Extents& target) {
  const auto box = box_of(program, runs);
  ASSERT_TRUE(box);
  const expr::Expr index = expr::Expr::variable("i0");
  std::vector<expr::Expr> numbers;  // of the steps
  for (std::size_t p = 0; p < box->steps().size(); ++p) {
    numbers.emplace_back(static_cast<std::int64_t>(p / 2));
  }
  const expr::Expr chosen = box->choose(numbers, index);
  for (const RankSteps& rank_steps : steps_on(program, {target})) {
    const auto rank = static_cast<std::int64_t>(rank_steps.rank);
    ASSERT_EQ(number_at(box->number(), rank, target, 0),
              static_cast<std::int64_t>(rank_steps.steps.size()));
    for (std::size_t i = 0; i < rank_steps.steps.size(); ++i) {
      const Step& step = rank_steps.steps[i];
      const auto at = static_cast<std::int64_t>(i);
      const auto coordinates = target_of(program, target, rank, step);
      std::int64_t there = 0, stride = 1;
      for (std::size_t k = 0; k < step.size(); ++k) {
        ASSERT_EQ(number_at(box->step(k, index), rank, target, at), step[k]);
        there += coordinates[k] * stride;
        stride *= target[k];
      }
      ASSERT_EQ(number_at(box->rank(index), rank, target, at), there);
      const auto found = std::ranges::find(box->steps(), step);
      ASSERT_NE(found, box->steps().end());
      ASSERT_EQ(number_at(chosen, rank, target, at), (found - box->steps().begin()) / 2);
    }
  }
}

TEST(NeighborBox, EightPoints) {
  expect_box({{1, 0}, {{-1, 0, 1}, {-1, 0, 1}}}, {{2, 2}, {3, 3}}, {5, 4});
}

TEST(NeighborBox, TwentySixPointsInOtherOrders) {
  expect_box({{2, 1, 0}, {{-1, 0, 1}, {-1, 0, 1}, {-1, 0, 1}}}, {{2, 2, 2}, {3, 3, 3}}, {5, 4, 3});
  expect_box({{0, 1, 2}, {{-1, 0, 1}, {1, 0, -1}, {-1, 0, 1}}}, {{2, 2, 2}, {3, 3, 3}}, {3, 4, 5});
}

TEST(NeighborBox, OnlyThoseBeforeOrAfter) {
  expect_box({{1, 0}, {{-1, 0}, {-1, 0}}}, {{2, 2}, {3, 3}}, {5, 4});
  expect_box({{1, 0}, {{0, 1}, {-1, 0, 1}}}, {{2, 2}, {3, 3}}, {4, 6});
}

TEST(NeighborBox, WithTheRankItself) {
  const Accepts all = [](const Step&) { return true; };
  expect_box({{1, 0}, {{-1, 0, 1}, {-1, 0, 1}}, all}, {{2, 2}, {3, 3}}, {5, 4});
}

TEST(NeighborBox, RoundSomeDimensions) {
  const Offsets both = {-1, 0, 1};
  expect_box({{1, 0}, {both, both}, is_other, {1}}, {{2, 3}, {2, 4}, {3, 4}}, {5, 6});
  expect_box({{0, 1}, {{1, 0, -1}, both}, is_other, {1}}, {{2, 2}, {3, 3}}, {4, 2});
  expect_box({{2, 1, 0}, {both, both, both}, is_other, {0, 2}}, {{2, 2, 2}, {3, 3, 3}}, {5, 4, 3});
}

// The four neighbors along the dimensions are no box.
TEST(NeighborBox, AStarIsNone) {
  const Accepts star = [](const Step& s) { return s[0] * s[0] + s[1] * s[1] == 1; };
  EXPECT_FALSE(box_of({{1, 0}, {{-1, 0, 1}, {-1, 0, 1}}, star}, {{2, 2}, {3, 3}}));
}

// On a grid that is two wide, the neighbor at one side may be the one at the other, of a ring.
TEST(NeighborBox, TwoPlacesDoNotShowABorder) {
  const BoxLoops program{{1, 0}, {{-1, 0, 1}, {-1, 0, 1}}};
  EXPECT_FALSE(box_of(program, {{2, 2}, {2, 3}}));
  EXPECT_TRUE(box_of(program, {{2, 2}, {3, 3}}));
}

}  // namespace
}  // namespace reprise::extrapolate
