#include "solve/solver.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <functional>

#include "expr/parse.hpp"
#include "expr/print.hpp"
#include "expr/program.hpp"

namespace reprise::solve {
namespace {

// What a value depends on, as programs reckon with it.
struct Place {
  std::int64_t rank = 0, ranks = 0;
  std::int64_t x0 = 0, x1 = 0, d0 = 0, d1 = 0;
  std::int64_t i = 0, t = 0;
};
using Truth = std::function<std::int64_t(const Place&)>;

struct Grid {
  std::int64_t d0 = 0, d1 = 0;
};

std::vector<Grid> squares(std::initializer_list<std::int64_t> extents) {
  std::vector<Grid> out;
  for (const std::int64_t d : extents) out.push_back({d, d});
  return out;
}

std::vector<Place> places(const Grid& grid, std::int64_t trips) {
  std::vector<Place> out;
  for (std::int64_t r = 0; r < grid.d0 * grid.d1; ++r) {
    for (std::int64_t i = 0; i < trips; ++i) {
      out.push_back({r, grid.d0 * grid.d1, r % grid.d0, r / grid.d0, grid.d0, grid.d1, i, trips});
    }
  }
  return out;
}

std::vector<std::int64_t> point(const Place& p) {
  return {p.rank, p.ranks, p.x0, p.x1, p.d0, p.d1, p.i, p.t};
}

class Question {
 public:
  // `trips`: of a loop around the call, by the grid.
  explicit Question(Truth truth, std::function<std::int64_t(const Grid&)> trips = {})
      : truth_(std::move(truth)), trips_(std::move(trips)) {
    samples_.leaves = {{"rank", LeafKind::rank, 9},     {"ranks", LeafKind::ranks, 9},
                       {"x0", LeafKind::coordinate, 0}, {"x1", LeafKind::coordinate, 1},
                       {"d0", LeafKind::extent, 0},     {"d1", LeafKind::extent, 1},
                       {"i0", LeafKind::index, 0},      {"t0", LeafKind::trips, 0}};
  }

  std::int64_t trips(const Grid& g) const { return trips_ ? trips_(g) : 1; }

  void run_on(const std::vector<Grid>& grids) {
    for (const Grid& g : grids) {
      for (const Place& p : places(g, trips(g))) {
        samples_.points.push_back(point(p));
        samples_.values.push_back(truth_(p));
        samples_.runs.push_back(run_);
      }
      ++run_;
    }
  }
  void want(const std::vector<Grid>& grids) {
    for (const Grid& g : grids) {
      for (const Place& p : places(g, trips(g))) samples_.targets.push_back(point(p));
    }
  }
  // "exact", or what went wrong.
  std::string answer(const std::set<std::int64_t>& numbers = {}, Divisions divisions = 0) const {
    return answer(Vocabulary{.numbers = numbers, .divisions = divisions});
  }
  std::string answer(const Vocabulary& vocabulary) const {
    const Outcome outcome = solve(samples_, vocabulary);
    if (!outcome.law) {
      std::string out = "refused " + std::to_string(static_cast<int>(outcome.refused));
      for (const Law& one : outcome.found) out += "; " + print(one.expression);
      return out;
    }
    law = print(outcome.law->expression);
    std::vector<std::string> names;
    for (const Leaf& l : samples_.leaves) names.push_back(l.name);
    const auto program = expr::Program::compile(outcome.law->expression, names);
    for (const auto& at : samples_.targets) {
      const Place p{at[0], at[1], at[2], at[3], at[4], at[5], at[6], at[7]};
      if (!program || program->run(at) != truth_(p)) return "wrong: " + law;
    }
    return "exact";
  }

  mutable std::string law;

 private:
  Truth truth_;
  std::function<std::int64_t(const Grid&)> trips_;
  Samples samples_;
  std::size_t run_ = 0;
};

std::int64_t part(std::int64_t n, std::int64_t x, std::int64_t d) {
  return n / d + (x < n % d ? 1 : 0);
}

TEST(Solver, FindsSharesWithAHalo) {
  Question q([](const Place& p) { return 2 * (part(33, p.x1, p.d1) + 2); });
  q.run_on({{2, 2}, {4, 2}, {4, 4}, {8, 4}});
  q.want({{8, 8}, {16, 8}, {16, 16}});
  EXPECT_EQ(q.answer(), "exact");
  EXPECT_EQ(q.law, "2 * (33 / d1 + (x1 < 33 % d1)) + 4");
}

// Of three widths, as of 4, 6, 9, 12 and 16 ranks.
TEST(Solver, FindsQuotientsWithAConstant) {
  Question q([](const Place& p) { return 960 / p.d1 + 2; });
  q.run_on({{2, 2}, {3, 2}, {3, 3}, {4, 3}, {4, 4}});
  q.want({{5, 4}, {5, 5}, {6, 6}, {8, 8}});
  EXPECT_EQ(q.answer(), "exact") << q.law;
}

TEST(Solver, FindsProductsOfShares) {
  Question q([](const Place& p) { return 5 * part(102, p.x0, p.d0) * (part(65, p.x1, p.d1) + 2); });
  q.run_on({{2, 2}, {3, 2}, {4, 3}, {5, 4}});
  q.want({{8, 7}, {16, 16}});
  EXPECT_EQ(q.answer(), "exact") << q.law;
}

// Components that share out the ranks among them.
TEST(Solver, FindsStretchesOfRanks) {
  const auto runs = std::initializer_list<Grid>{{1, 12}, {1, 16}, {1, 20}, {1, 25}, {1, 33}};
  Question two([](const Place& p) { return p.rank < p.ranks / 2 ? 0 : 7; });
  two.run_on(runs);
  two.want({{1, 1000}});
  EXPECT_EQ(two.answer(), "exact") << two.law;
  Question three([](const Place& p) {
    return p.rank < p.ranks / 2 ? 0 : p.rank + 1 < p.ranks ? 7 : 3;
  });
  three.run_on(runs);
  three.want({{1, 1000}});
  EXPECT_EQ(three.answer(), "exact") << three.law;
  Question four([](const Place& p) {
    return p.rank < p.ranks / 2                 ? 0
           : p.rank < p.ranks / 2 + p.ranks / 3 ? 7
           : p.rank + 1 < p.ranks               ? 3
                                                : 4;
  });
  four.run_on(runs);
  four.want({{1, 1000}});
  EXPECT_EQ(four.answer(), "exact") << four.law;
}

TEST(Solver, FindsConditionsThatAreJoined) {
  Question q([](const Place& p) { return p.x0 > 0 && p.x1 + 1 < p.d1 ? 1 : 0; });
  q.run_on({{2, 3}, {3, 2}, {4, 3}, {5, 4}});
  q.want({{8, 7}, {16, 16}});
  EXPECT_EQ(q.answer(), "exact") << q.law;
}

TEST(Solver, FindsSharesOfALaw) {
  Question q([](const Place& p) { return part(7 * p.i + 100, p.rank, p.ranks); },
             [](const Grid&) { return 5; });
  q.run_on({{2, 2}, {3, 2}, {3, 3}, {4, 3}});
  q.want({{4, 4}, {8, 7}});
  EXPECT_EQ(q.answer(), "exact") << q.law;
}

TEST(Solver, FindsPowersOfQuotients) {
  Question q([](const Place& p) { return 30 * (24 / p.d0 + 1) * (24 / p.d0 + 1); });
  q.run_on(squares({2, 3, 4, 5, 6}));
  q.want(squares({7, 8, 10, 12}));
  EXPECT_EQ(q.answer(), "exact") << q.law;
}

TEST(Solver, FindsFactorsOfExtentsAndQuotients) {
  Question q([](const Place& p) { return 10 * (p.d0 - 1) * (24 / p.d0) * (24 / p.d0); });
  q.run_on(squares({2, 3, 4, 5, 6, 7}));
  q.want(squares({8, 12}));
  EXPECT_EQ(q.answer(), "exact") << q.law;
}

TEST(Solver, FindsSharesWithoutBorders) {
  const auto inner = [](std::int64_t x, std::int64_t d) {
    return 64 / d - (x == 0 ? 1 : 0) - (x == d - 1 ? 1 : 0);
  };
  Question q([&](const Place& p) { return 22 * inner(p.x0, p.d0) * inner(p.x1, p.d1); });
  q.run_on(squares({2, 4, 8}));
  q.want(squares({16, 32}));
  EXPECT_EQ(q.answer(), "exact") << q.law;
}

TEST(Solver, FindsSumsOverCells) {
  Question q([](const Place& p) {
    std::int64_t sum = 0;
    for (std::int64_t k = 0; k < p.d0; ++k) {
      const std::int64_t x = (p.x0 + k) % p.d0, y = (p.x1 - k + p.d0) % p.d0;
      if (x != p.d0 - 1) sum += part(24, y, p.d0) * part(24, k, p.d0);
    }
    return 10 * sum;
  });
  q.run_on(squares({2, 3, 4, 5, 6}));
  q.want(squares({7, 8, 10, 12}));
  EXPECT_EQ(q.answer(), "exact") << q.law;
}

// 36 things leave a remainder on 25 of these numbers of ranks alone, where cells that move in the
// opposite way have the same sizes.
TEST(Solver, LetsKnownMovesOfCellsDecide) {
  Question q([](const Place& p) {
    std::int64_t sum = 0;
    for (std::int64_t k = 0; k < p.d0; ++k) {
      const std::int64_t x = (p.x0 + k) % p.d0, y = (p.x1 - k + p.d0) % p.d0;
      if (x != p.d0 - 1) sum += part(36, y, p.d0) * part(36, k, p.d0);
    }
    return 10 * sum;
  });
  q.run_on(squares({2, 3, 4, 5, 6}));
  q.want(squares({8}));
  EXPECT_EQ(q.answer().substr(0, 7), "refused");
  const expr::Expr right = *expr::parse("(x0 + k) % d0");
  const expr::Expr up = *expr::parse("(x1 - k) % d0");
  EXPECT_EQ(q.answer(Vocabulary{.moves = {right, up}}), "exact") << q.law;
}

// 36 things without those at both ends have the sizes of 35 without one, the other way round, on
// all of these numbers of ranks. What is known to be shared out decides, and that borders are the
// same along both axes.
TEST(Solver, FindsCellsWithoutBordersThatMoveWithALoop) {
  const auto inner = [](std::int64_t x, std::int64_t d) {
    x = (x + 8 * d) % d;
    return part(36, x, d) - (x == 0 ? 1 : 0) - (x == d - 1 ? 1 : 0);
  };
  Question q(
      [&](const Place& p) {
        return 10 * inner(p.x1 + p.i + 1, p.d0) * inner(p.x0 - p.i - 1, p.d0);
      },
      [](const Grid& g) { return g.d0 - 1; });
  q.run_on(squares({2, 3, 4, 5, 6}));
  q.want(squares({8}));
  const Vocabulary known{
      .numbers = {10, 36}, .things = {36}, .divisions = bit(Division::remainder_first)};
  EXPECT_EQ(q.answer(known), "exact") << q.law;
}

TEST(Solver, FindsCoordinatesThatMoveWithALoop) {
  Question q([](const Place& p) { return 3000 + (p.x1 - p.i + 100 * p.d0) % p.d0 + p.d0 * p.i; },
             [](const Grid& g) { return g.d0; });
  q.run_on(squares({2, 3, 4, 5}));
  q.want(squares({7, 10}));
  EXPECT_EQ(q.answer(), "exact") << q.law;
}

TEST(Solver, FindsTagsOfCellsThatMoveWithALoop) {
  Question q(
      [](const Place& p) {
        const std::int64_t k = (p.i - p.x0 + p.d0) % p.d0;
        return 3000 + (p.x1 - k + p.d0) % p.d0 + p.d0 * k;
      },
      [](const Grid& g) { return g.d0 - 1; });
  q.run_on(squares({2, 3, 4, 5, 6}));
  q.want(squares({7, 10}));
  EXPECT_EQ(q.answer(), "exact") << q.law;
}

TEST(Solver, FindsSharesOfCellsThatMoveWithALoop) {
  const auto inner = [](std::int64_t x, std::int64_t d) {
    return part(36, x, d) - (x == 0 ? 1 : 0) - (x == d - 1 ? 1 : 0);
  };
  Question q(
      [&](const Place& p) {
        const std::int64_t k = (p.i - p.x0 + p.d0) % p.d0;
        return 22 * inner(k, p.d0) * inner((p.x1 - k + p.d0) % p.d0, p.d0);
      },
      [](const Grid& g) { return g.d0 - 1; });
  q.run_on(squares({2, 3, 4, 5, 6}));
  q.want(squares({7, 8, 10}));
  EXPECT_EQ(q.answer({36}), "exact") << q.law;
}

// What goes round a ring, in parts of which no rank knows the whole.
TEST(Solver, FindsSharesOfALawThatMoveWithALoop) {
  Question q(
      [](const Place& p) {
        const std::int64_t x = (p.rank + 1 - p.i + p.ranks) % p.ranks, n = 7 * p.d0 * p.d0 + 33;
        return n * (x + 1) / p.ranks - n * x / p.ranks;
      },
      [](const Grid& g) { return g.d0 * g.d1 - 1; });
  q.run_on({{2, 2}, {3, 2}, {2, 4}, {3, 3}, {4, 3}});
  q.want({{4, 4}, {5, 3}});
  EXPECT_EQ(q.answer(), "exact") << q.law;
}

// A broadcast along a ring whose root moves: all but the last receive it, or pass it on.
TEST(Solver, FindsPlacesOnARingWhoseStartMoves) {
  const auto steps = [](const Grid& g) { return 2 * g.d0 * g.d1; };
  const std::initializer_list<Grid> runs = {{2, 2}, {3, 2}, {4, 2}, {3, 3}};
  const auto place = [](const Place& p, std::int64_t first) {
    return (p.rank - p.i % p.ranks + p.ranks + first) % p.ranks;
  };
  Question passes([&](const Place& p) { return place(p, 0) != p.ranks - 1 ? 1 : 0; }, steps);
  passes.run_on(runs);
  passes.want({{4, 4}, {5, 3}});
  EXPECT_EQ(passes.answer(), "exact") << passes.law;
  Question receives([&](const Place& p) { return place(p, 0) != 0 ? 1 : 0; }, steps);
  receives.run_on(runs);
  receives.want({{4, 4}, {5, 3}});
  EXPECT_EQ(receives.answer(), "exact") << receives.law;
  Question first([&](const Place& p) { return place(p, 0) == 1 ? 1 : 0; }, steps);
  first.run_on(runs);
  first.want({{4, 4}, {5, 3}});
  EXPECT_EQ(first.answer(), "exact") << first.law;
}

// Rows and columns of a matrix whose blocks are dealt out along both axes, from which a
// factorization takes one in each iteration.
TEST(Solver, FindsWhatIsLeftOfBlocksThatAreDealtOut) {
  constexpr std::int64_t kBlocks = 30;
  Question q(
      [](const Place& p) {
        std::int64_t blocks = 0;
        for (std::int64_t b = p.i; b < kBlocks; ++b) blocks += b % p.d0 == p.x0 ? 1 : 0;
        return 256 * blocks;
      },
      [](const Grid&) { return kBlocks; });
  q.run_on({{2, 2}, {3, 2}, {3, 3}, {4, 3}});
  q.want({{5, 4}, {7, 6}});
  EXPECT_EQ(q.answer(), "exact") << q.law;
}

// On these runs, only the wider axis determines how things are divided.
TEST(Solver, DividesAlongAllAxesInOneWay) {
  const auto share = [](std::int64_t x, std::int64_t d) { return 50 / d + (x < 50 % d ? 1 : 0); };
  Question q([&](const Place& p) { return share(p.x0, p.d0) * share(p.x1, p.d1); });
  q.run_on({{2, 2}, {2, 3}, {3, 3}, {3, 4}});
  q.want({{4, 4}});
  EXPECT_EQ(q.answer(), "exact") << q.law;
}

// So do laws that the program is known to follow.
TEST(Solver, DividesAsElsewhere) {
  Question q([](const Place& p) { return 50 / p.d0 + (p.x0 < 50 % p.d0 ? 1 : 0); });
  q.run_on({{2, 2}, {2, 3}, {3, 3}, {3, 4}});
  q.want({{4, 4}});
  EXPECT_EQ(q.answer().substr(0, 7), "refused") << q.law;
  EXPECT_EQ(q.answer({}, bit(Division::remainder_first)), "exact") << q.law;
}

// Sweeps along three axes, there and back, in one loop: each has a step for each other rank.
TEST(Solver, FindsStretchesOfIterations) {
  Question q(
      [](const Place& p) {
        const std::int64_t sweep = p.i / (p.d0 - 1), sign = sweep % 2 == 0 ? 1 : -1;
        const std::int64_t dx = sweep / 2 == 0 ? sign : sweep / 2 == 1 ? 0 : -sign;
        const std::int64_t dy = sweep / 2 == 0 ? 0 : sign;
        return (p.x0 + dx + p.d0) % p.d0 + p.d0 * ((p.x1 + dy + p.d0) % p.d0);
      },
      [](const Grid& g) { return 6 * (g.d0 - 1); });
  q.run_on(squares({2, 3, 4}));
  q.want(squares({6, 9}));
  EXPECT_EQ(q.answer(), "exact") << q.law;
}

TEST(Solver, FindsThresholdsOfManyRuns) {
  Question q([](const Place& p) { return p.ranks > 1 ? 1 : 0; });
  std::vector<Grid> runs;
  for (std::int64_t d = 1; d <= 24; ++d) runs.push_back({1, d});
  q.run_on(runs);
  q.want({{1, 40}, {8, 8}});
  EXPECT_EQ(q.answer(), "exact") << q.law;
}

// Of a few runs there is one between any two.
TEST(Solver, RefusesThresholdsOfFewRuns) {
  Question q([](const Place& p) { return p.ranks > 8 ? 1 : 0; });
  q.run_on({{2, 2}, {3, 2}, {4, 3}, {5, 4}});
  q.want({{8, 7}});
  EXPECT_EQ(q.answer().substr(0, 7), "refused") << q.law;
}

TEST(Solver, FindsPartnersInAButterfly) {
  const auto levels = [](const Grid& g) {
    return static_cast<std::int64_t>(std::countr_zero(static_cast<std::uint64_t>(g.d0 * g.d1)));
  };
  const std::initializer_list<Grid> runs = {{2, 2}, {4, 2}, {4, 4}, {8, 4}};
  Question partner([](const Place& p) { return p.rank ^ (std::int64_t{1} << p.i); }, levels);
  partner.run_on(runs);
  partner.want({{8, 8}, {16, 16}});
  EXPECT_EQ(partner.answer(), "exact") << partner.law;
  Question root([](const Place& p) { return p.rank % (2 << p.i) == 0 ? 1 : 0; }, levels);
  root.run_on(runs);
  root.want({{8, 8}, {16, 16}});
  EXPECT_EQ(root.answer(), "exact") << root.law;
}

TEST(Solver, FindsRemaindersByANumber) {
  Question q([](const Place& p) { return (p.rank + 2) % 5; });
  q.run_on({{2, 2}, {4, 2}, {4, 4}, {5, 4}});
  q.want({{8, 7}, {16, 16}});
  EXPECT_EQ(q.answer(), "exact") << q.law;
}

TEST(Solver, FindsNeighborsOnRings) {
  Question q([](const Place& p) { return (p.rank + p.ranks - 3) % p.ranks; });
  q.run_on({{2, 2}, {3, 2}, {4, 3}, {5, 4}});
  q.want({{8, 7}, {16, 16}});
  EXPECT_EQ(q.answer(), "exact") << q.law;
}

TEST(Solver, FindsCasesAtBorders) {
  Question q([](const Place& p) { return p.x0 == 0 ? 7 : 3 * p.x1 + 100; });
  q.run_on({{2, 2}, {3, 2}, {4, 3}, {5, 4}});
  q.want({{8, 7}, {16, 16}});
  EXPECT_EQ(q.answer(), "exact") << q.law;
}

// Three runs would not confirm it.
TEST(Solver, RepeatsLawsThatAreKnown) {
  const expr::Expr law = *expr::parse("30 * (24 / d0 + 1) * (24 / d1 + 1) + ranks % 7");
  Samples samples;
  samples.leaves = {
      {"ranks", LeafKind::ranks}, {"d0", LeafKind::extent, 0}, {"d1", LeafKind::extent, 1}};
  const auto program = expr::Program::compile(law, std::vector<std::string>{"ranks", "d0", "d1"});
  for (const std::int64_t d : {2, 3, 5}) {
    samples.points.push_back({d * (d + 1), d, d + 1});
    samples.values.push_back(*program->run(samples.points.back()));
    samples.runs.push_back(samples.runs.size());
  }
  samples.targets = {{72, 8, 9}};
  EXPECT_FALSE(solve(samples).law);
  const Outcome repeated = solve(samples, {.laws = {{law}}});
  ASSERT_TRUE(repeated.law);
  EXPECT_EQ(repeated.law->expression, law);
  // One that a run contradicts is of no use.
  EXPECT_FALSE(solve(samples, {.laws = {{law + expr::Expr(1)}}}).law);
}

// A search that did not come to its end confirms nothing.
TEST(Solver, SaysWhatASearchThatIsCutOffFinds) {
  Samples samples;
  samples.leaves = {{"rank", LeafKind::rank}, {"ranks", LeafKind::ranks}};
  std::size_t run = 0;
  for (const std::int64_t ranks : {12, 20, 25, 28, 33}) {
    for (std::int64_t r = 0; r < ranks; ++r) {
      samples.points.push_back({r, ranks});
      samples.values.push_back(r < ranks / 3 ? 5 : 40 * ranks + r);
      samples.runs.push_back(run);
    }
    ++run;
  }
  samples.targets = {{3, 98}, {50, 98}};
  bool is_found = false;
  for (std::size_t steps = 1000; steps < 400'000'000; steps *= 4) {
    Effort effort(steps);
    const Outcome outcome = solve(samples, {}, effort);
    is_found = is_found || outcome.law;
    if (outcome.law && effort.is_over()) {
      EXPECT_EQ(outcome.law->standing, Standing::explains);
    }
    if (!outcome.law && effort.is_over()) {
      EXPECT_EQ(outcome.refused, Refused::too_hard);
    }
  }
  EXPECT_TRUE(is_found);
}

// Levels of a multigrid: as many as 2 divides the place; the last are on all places.
TEST(Solver, FindsStridesOfLevels) {
  const auto levels = [](const Grid& g) { return std::bit_width(unsigned(g.d0 * g.d1)) + 2; };
  Question q(
      [](const Place& p) { return p.rank + (1 << std::max<std::int64_t>(p.t - 3 - p.i, 0)); },
      levels);
  q.run_on({{2, 2}, {4, 2}, {4, 4}, {8, 4}});
  q.want({{8, 8}, {16, 16}});
  EXPECT_EQ(q.answer(), "exact") << q.law;
  Question parts([](const Place& p) { return p.rank == 0 ? 1 : p.ranks / (p.rank & -p.rank); });
  parts.run_on({{2, 2}, {4, 2}, {4, 4}, {8, 4}});
  parts.want({{8, 8}, {16, 16}});
  EXPECT_EQ(parts.answer(), "exact") << parts.law;
}

TEST(Solver, RefusesNoise) {
  Question q([](const Place& p) { return (p.rank * 7919 + p.ranks * 104729) % 1009; });
  q.run_on({{2, 2}, {3, 2}, {4, 3}, {5, 4}});
  q.want({{8, 7}});
  EXPECT_EQ(q.answer().substr(0, 7), "refused") << q.law;
}

// 1, 3 and 0 places on: three numbers, however many ranks have them.
TEST(Solver, RefusesLawsOfRunsThatAreLongerThanTheirValues) {
  Question q([](const Place& p) { return (p.rank + 23) % p.ranks; });
  q.run_on({{2, 2}, {3, 2}, {3, 3}});
  q.want({{4, 4}});
  EXPECT_EQ(q.answer().substr(0, 7), "refused") << q.law;
}

// Ranks that are seven apart are three apart on four ranks.
TEST(Solver, FindsDistancesRoundRingsThatAreShorter) {
  Question q([](const Place& p) { return (p.rank + 7) % p.ranks; });
  q.run_on(squares({2, 3, 4, 5}));
  q.want(squares({6, 10}));
  EXPECT_EQ(q.answer(), "exact");
  EXPECT_EQ(q.law, "(rank + 7) % ranks");
}

// On an odd number of rows, half of the ranks are no rows.
TEST(Solver, FindsTwoValuesOfHalvesOfAGrid) {
  Question q([](const Place& p) { return p.rank < p.ranks / 2 ? 100 / p.ranks : 256; });
  q.run_on(squares({2, 3, 4, 5}));
  q.want(squares({6, 7, 10}));
  EXPECT_EQ(q.answer(), "exact") << q.law;
}

// What one rank does in few of its iterations is hardly ever among samples that are taken evenly.
TEST(Solver, FindsWhatIsRare) {
  for (const std::int64_t period : {5, 12, 15}) {
    Question q(
        [period](const Place& p) {
          return p.rank == 0 && p.i % period == period - 1 ? p.ranks - 1 : 0;
        },
        [period](const Grid&) { return 4 * period; });
    q.run_on({{2, 2}, {3, 2}, {4, 2}});
    q.want({{4, 3}, {4, 4}});
    EXPECT_EQ(q.answer(), "exact") << q.law;
  }
}

// Of 550 things each of ranks * ranks has one at last.
TEST(Solver, RefusesLawsThatBecomeNegative) {
  Question q([](const Place& p) { return (549 + p.ranks * p.ranks) / (p.ranks * p.ranks); });
  q.run_on({{4, 3}, {4, 4}, {5, 4}, {6, 4}, {6, 5}});
  q.want({{12, 8}});
  EXPECT_EQ(q.answer().substr(0, 7), "refused") << q.law;
}

TEST(Solver, RefusesUsualSharesThatOthersMayBe) {
  // An eighth of the ranks is as many in all runs.
  Question q([](const Place& p) { return p.rank < p.ranks / 7 ? 2 : 62; });
  q.run_on({{1, 12}, {1, 16}, {1, 20}, {1, 25}, {1, 33}});
  q.want({{1, 1000}});
  EXPECT_EQ(q.answer().substr(0, 7), "refused") << q.law;
}

TEST(Solver, RefusesWhatTwoLawsSayApart) {
  // 64 divides evenly in all runs, and by 24 it does not. (Four values are as short as the law.)
  Question q([](const Place& p) { return 64 / p.ranks; });
  q.run_on({{2, 2}, {4, 2}, {4, 4}, {8, 4}});
  q.want({{6, 4}});
  EXPECT_EQ(q.answer().substr(0, 7), "refused") << q.law;
}

}  // namespace
}  // namespace reprise::solve
