// Laws that programs follow, as expressions: what is found has their values on ranks that no run
// had.
#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "expr/parse.hpp"
#include "expr/print.hpp"
#include "expr/program.hpp"
#include "solve/solver.hpp"

namespace reprise::solve {
namespace {

using Extents = std::vector<std::int64_t>;

// A run, by the grid that its ranks form, and a size that its user chose.
struct World {
  std::int64_t ranks = 0;
  Extents extents = {};  // none: no grid is known
  std::int64_t n = 0;
};

World grid(Extents extents) {
  World world{1, extents};
  for (const std::int64_t d : extents) world.ranks *= d;
  return world;
}

std::vector<World> lines(std::initializer_list<std::int64_t> ranks) {
  std::vector<World> out;
  for (const std::int64_t p : ranks) out.push_back({p});
  return out;
}

std::vector<World> grids(std::initializer_list<Extents> extents) {
  std::vector<World> out;
  for (const Extents& e : extents) out.push_back(grid(e));
  return out;
}

// The point of a rank, in the order of leaves_of.
std::vector<std::int64_t> point(const World& w, std::int64_t rank) {
  std::vector<std::int64_t> out{rank, w.ranks, w.n};
  std::int64_t rest = rank;
  for (const std::int64_t d : w.extents) {
    out.push_back(rest % d);
    rest /= d;
  }
  out.insert(out.end(), w.extents.begin(), w.extents.end());
  return out;
}

std::vector<Leaf> leaves_of(std::size_t dimensions) {
  std::vector<Leaf> out = {
      {"rank", LeafKind::rank}, {"ranks", LeafKind::ranks}, {"n", LeafKind::declared}};
  for (std::size_t k = 0; k < dimensions; ++k) {
    out.push_back({"x" + std::to_string(k), LeafKind::coordinate, k});
  }
  for (std::size_t k = 0; k < dimensions; ++k) {
    out.push_back({"d" + std::to_string(k), LeafKind::extent, k});
  }
  return out;
}

// The value of a rank; nothing where it does not take part.
using Truth = std::function<std::optional<std::int64_t>(std::int64_t rank, const World& world)>;

Samples sample(const std::vector<World>& runs, const World& target, const Truth& truth) {
  Samples out;
  out.leaves = leaves_of(target.extents.size());
  for (std::size_t run = 0; run < runs.size(); ++run) {
    for (std::int64_t r = 0; r < runs[run].ranks; ++r) {
      const auto value = truth(r, runs[run]);
      if (!value) continue;
      out.points.push_back(point(runs[run], r));
      out.values.push_back(*value);
      out.runs.push_back(run);
    }
  }
  for (std::int64_t r = 0; r < target.ranks; ++r) {
    if (truth(r, target)) out.targets.push_back(point(target, r));
  }
  return out;
}

// The value of an expression, where a condition holds.
Truth values_of(const std::string& text, const std::string& where = "1") {
  return [=](std::int64_t rank, const World& world) -> std::optional<std::int64_t> {
    std::vector<std::string> names;
    for (const Leaf& l : leaves_of(world.extents.size())) names.push_back(l.name);
    const auto at = [&](const std::string& e) {
      return expr::Program::compile(*expr::parse(e), names)->run(point(world, rank));
    };
    return at(where) == 0 ? std::nullopt : at(text);
  };
}

std::string say(const Outcome& outcome) {
  std::string out = "refused " + std::to_string(static_cast<int>(outcome.refused));
  for (const Law& one : outcome.found) out += "; " + print(one.expression);
  return out;
}

// "right", or what went wrong.
std::string answer(const std::vector<World>& runs, const World& target, const Truth& truth) {
  const Samples samples = sample(runs, target, truth);
  const Outcome outcome = solve(samples);
  if (!outcome.law) return say(outcome);
  std::vector<std::string> names;
  for (const Leaf& l : samples.leaves) names.push_back(l.name);
  const auto law = expr::Program::compile(outcome.law->expression, names);
  for (std::int64_t r = 0; r < target.ranks; ++r) {
    const auto wanted = truth(r, target);
    if (wanted && law->run(point(target, r)) != wanted) {
      return "wrong: " + print(outcome.law->expression);
    }
  }
  return "right";
}

const std::vector<World> kLines = lines({4, 7, 9, 12});
const std::vector<World> kPowers = lines({4, 8, 16, 32});
const std::vector<World> kDiverse = grids({{4, 2}, {5, 3}, {3, 8}, {6, 4}});
const std::vector<World> kCubes = grids({{2, 3, 4}, {4, 3, 2}, {3, 2, 5}, {4, 4, 4}});

struct Case {
  const char* law;
  const char* where = "1";
};

void expect_all(const std::vector<World>& runs, const World& target,
                std::initializer_list<Case> cases) {
  for (const Case& c : cases) {
    EXPECT_EQ(answer(runs, target, values_of(c.law, c.where)), "right") << c.law;
  }
}

TEST(Programs, PeersOnALine) {
  expect_all(kLines, {100},
             {{"(rank + 1) % ranks"},
              {"(rank - 1) % ranks"},
              {"(rank + 2) % ranks"},
              {"(rank + ranks / 2) % ranks"},
              {"ranks - 1 - rank"},
              {"rank + 1", "rank < ranks - 1"},
              {"rank == 0 ? 70 : 30"},
              {"rank & rank - 1", "rank > 0"},
              {"(rank ^ 1)", "(rank ^ 1) < ranks"},
              {"rank % 2 == 0 ? rank + 1 : rank - 1", "(rank ^ 1) < ranks"},
              {"2 * rank + 1", "2 * rank + 1 < ranks"},
              {"(rank - 1) / 2", "rank > 0"},
              {"rank == 0 ? ranks - 1 : 0"},
              {"rank - rank % 4"},
              {"ranks - 1"}});
}

TEST(Programs, WhoTakesPartOnALine) {
  expect_all(kLines, {100},
             {{"rank == 0"},
              {"rank != 0"},
              {"rank == ranks - 1"},
              {"rank < ranks / 2"},
              {"rank > 0 && rank < ranks - 1"},
              {"rank % 2 == 0"},
              {"rank % 2 == 1"},
              {"rank % 4 == 0"},
              {"2 * rank + 1 < ranks"}});
  expect_all(lines({5, 7, 8, 9, 12, 13}), {101}, {{"(rank ^ 1) < ranks"}});
}

// Every eighth rank does something else; which runs tell where a part ends differs.
TEST(Programs, PartsFromWhichRanksAreLeftOut) {
  const auto runs = lines({12, 20, 25, 28, 33, 42, 50});
  expect_all(runs, {98},
             {{"rank % 8 != 7 && rank < ranks / 3"},
              {"rank < ranks / 2 ? 0 : rank < ranks / 2 + ranks / 3 ? 1 : 2", "rank % 5 != 4"}});
}

// The messages of a reduction and of a broadcast along a binomial tree.
TEST(Programs, ChildrenInATree) {
  const std::string children =
      "(rank > 0 ? min(ctz(rank), log2(2 * (ranks - rank) - 1)) : log2(2 * ranks - 1))";
  expect_all(lines({4, 6, 8, 9, 12}), {23}, {{children.c_str()}});
  const std::string with_parent = children + " + (rank > 0)";
  expect_all(lines({4, 6, 8, 9, 12}), {23}, {{with_parent.c_str()}});
}

// The last ranks do something else: a number of them, or a part.
TEST(Programs, PartsAtTheEnd) {
  expect_all(lines({4, 8, 12, 16}), {24}, {{"rank >= ranks - ranks / 4"}});
  expect_all(lines({4, 8, 12, 16, 20}), {24},
             {{"rank < ranks - ranks / 4 ? 20 : 4"}, {"rank < ranks - 2 ? 20 : 4"}});
}

// The tasks of workers, of which the last says that there is no more.
TEST(Programs, SharesOfAllButOneRank) {
  expect_all(lines({4, 6, 8, 9, 12}), {16},
             {{"rank == 0 ? 0 : 60 / (ranks - 1) + (rank - 1 < 60 % (ranks - 1)) + 1"},
              {"60 / (ranks - 1) + (rank < 60 % (ranks - 1))", "rank < ranks - 1"}});
}

TEST(Programs, PeersOnPowersOfTwo) {
  expect_all(kPowers, {256},
             {{"rank ^ 2"},
              {"rank ^ ranks / 2"},
              {"rank % (ranks / 2) * 2 + rank / (ranks / 2)"},
              {"reverse(rank, ranks)"},
              {"ctz(rank + ranks)"},
              {"ctz(rank + ranks) + (rank > 0 ? 2 : 1)"},
              {"rank & rank - 1", "rank > 0"}});
}

TEST(Programs, PeersOnAGrid) {
  expect_all(kDiverse, grid({20, 30}),
             {{"(rank + d0) % ranks"},
              {"rank - x0 + (x0 + 1) % d0"},
              {"rank + 1", "x0 + 1 < d0"},
              {"rank - d0", "x1 > 0"},
              {"rank + 1 + d0", "x0 < d0 - 1 && x1 < d1 - 1"},
              {"(x0 + 1) % d0 + x1 * d0"},
              {"x0 + (x1 - 1) % d1 * d0"},
              {"(x0 + 1) % d0 + (x1 + 1) % d1 * d0"},
              {"rank - d0 - 1", "x0 > 0 && x1 > 0"},
              {"x1 * d0"},
              {"x0"},
              {"rank - x0"},
              {"x1 + x0 * d1"},
              {"d0 - 1 - x0 + x1 * d0"},
              {"x0 + (d1 - 1 - x1) * d0"},
              {"(x0 + x1) % d0 + x1 * d0"},
              {"(x0 - x1) % d0 + x1 * d0"},
              {"rank + 2", "x0 + 2 < d0"},
              {"rank % d0", "rank >= d0"},
              {"x0 == d0 - 1 ? rank - x0 : rank + 1"},
              {"x1 == d1 - 1 ? 1000 : rank + d0"}});
}

TEST(Programs, WhoTakesPartOnAGrid) {
  expect_all(kDiverse, grid({9, 7}),
             {{"x1 == 0"},
              {"x1 > 0"},
              {"x0 == d0 - 1"},
              {"x0 % 2 == 1"},
              {"(x0 + x1) % 2 == 0"},
              {"x0 == 0 && x1 == 0"},
              {"x0 > 0 && x1 < d1 - 1"},
              {"x0 > 0 && x0 < d0 - 1 && x1 > 0 && x1 < d1 - 1"},
              {"x0 == 0 || x0 == d0 - 1 || x1 == 0 || x1 == d1 - 1"},
              {"x0 + 2 < d0"},
              {"rank >= d0"}});
}

TEST(Programs, PeersInACube) {
  expect_all(kCubes, grid({5, 4, 6}),
             {{"rank + ((x0 + 1) % d0 - x0)"},
              {"rank + ((x1 + 1) % d1 - x1) * d0"},
              {"rank + ((x2 - 1) % d2 - x2) * d0 * d1"},
              {"rank + 1", "x0 < d0 - 1"},
              {"rank + d0", "x1 < d1 - 1"},
              {"rank - d0 * d1", "x2 > 0"},
              {"rank + 1 - d0", "x0 < d0 - 1 && x1 > 0"},
              {"x0 > 0 && x1 > 0 && x2 > 0"},
              {"x0 < d0 - 1 && x1 > 0"}});
}

// On square grids a column is not told from a row; where a row or a column ends is.
TEST(Programs, SquaresDoNotTellRowsFromColumns) {
  const std::vector<World> squares = grids({{3, 3}, {4, 4}, {5, 5}});
  const Truth transposed = values_of("x1 + x0 * d1"), last = values_of("x1 == d1 - 1");
  EXPECT_EQ(answer(squares, grid({9, 9}), transposed), "right");
  EXPECT_EQ(answer(squares, grid({4, 6}), transposed).substr(0, 7), "refused");
  EXPECT_EQ(answer(squares, grid({9, 9}), last), "right");
  EXPECT_EQ(answer(squares, grid({4, 6}), last), "right");
}

// NAS CG: the exchange on a square grid, and on one with twice as many columns as rows.
TEST(Programs, TransposesOfSquaresAndOblongs) {
  const Truth exchange =
      values_of("d0 == d1 ? x1 + x0 * d0 : 2 * (rank / 2 % d1 * d1 + rank / 2 / d1) + rank % 2");
  EXPECT_EQ(answer(grids({{2, 2}, {4, 2}, {4, 4}, {8, 4}}), grid({16, 8}), exchange), "right");
  EXPECT_EQ(answer(grids({{2, 2}, {4, 2}, {4, 4}, {8, 4}}), grid({32, 32}), exchange), "right");
}

TEST(Programs, TablesAreRefused) {
  constexpr std::int64_t kPeers[] = {3, 0, 2, 5, 1, 4, 7, 6, 8, 11, 9, 10};
  const Truth table = [&](std::int64_t r, const World&) { return kPeers[r]; };
  EXPECT_EQ(answer(lines({6, 8, 9, 12}), {12}, table).substr(0, 7), "refused");
  const Truth noise = [](std::int64_t r, const World&) { return 0x5a3c96e1 >> (r * 7 % 31) & 1; };
  EXPECT_EQ(answer(lines({11, 17, 23}), {40}, noise).substr(0, 7), "refused");
}

// One step along some axes, all of them periodic.
void expect_all_steps(const std::vector<World>& runs, const World& target) {
  const std::size_t dimensions = target.extents.size();
  std::size_t all = 1;
  for (std::size_t k = 0; k < dimensions; ++k) all *= 3;
  for (std::size_t combination = 0; combination < all; ++combination) {
    const Truth neighbor = [&](std::int64_t r, const World& w) {
      std::int64_t out = 0, size = 1;
      std::size_t digits = combination;
      for (const std::int64_t d : w.extents) {
        const std::int64_t step = static_cast<std::int64_t>(digits % 3) - 1;
        out += (r % d + step + d) % d * size;
        r /= d;
        size *= d;
        digits /= 3;
      }
      return out;
    };
    EXPECT_EQ(answer(runs, target, neighbor), "right") << combination;
  }
}

TEST(Programs, EveryStepInAGrid) { expect_all_steps(kDiverse, grid({9, 7})); }
TEST(Programs, EveryStepInACube) { expect_all_steps(kCubes, grid({5, 4, 6})); }

// What programs count, on grids of any shape and on squares.
constexpr const char* kCounts[] = {"7",
                                   "ranks",
                                   "ranks - 1",
                                   "3 * ranks + 5",
                                   "d0 + d1 - 1",
                                   "2 * (d0 + d1)",
                                   "ranks - d0 + 1",
                                   "100000 / ranks",
                                   "8 * (100003 / ranks)",
                                   "8 * 100003 / ranks",
                                   "100003 / d0",
                                   "8 * (1000 / d0 + 2)",
                                   "(1000 / d0 + 2) * (1000 / d1 + 2)",
                                   "ranks * (ranks - 1) / 2",
                                   "3 * d0 + 5 * d1 + 2",
                                   "4 * d0 * d1 - 2 * d0 - 2 * d1",
                                   "1000 / d0 + 1000 / d1",
                                   "min(d0, d1)",
                                   "max(d0, d1)",
                                   "(1000 + ranks - 1) / ranks",
                                   "ranks / 3",
                                   "1048576 / ranks / ranks",
                                   "5 * d0 - 3"};

TEST(Programs, CountsAreFoundOrRefusedAndNeverWrong) {
  const std::vector<std::vector<World>> runs = {grids({{4, 2}, {5, 3}, {3, 8}, {6, 4}, {5, 7}}),
                                                grids({{4, 4}, {5, 5}, {6, 6}, {7, 7}}),
                                                grids({{2, 2}, {3, 3}, {4, 4}})};
  const std::vector<World> targets = {grid({40, 25}), grid({32, 32}), grid({32, 32})};
  int found = 0;
  for (const char* law : kCounts) {
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const std::string here = answer(runs[i], targets[i], values_of(law));
      EXPECT_NE(here.substr(0, 5), "wrong") << law << ": " << here;
      found += here == "right" ? 1 : 0;
    }
  }
  EXPECT_GT(found, 40);
}

TEST(Programs, CountsOnALine) {
  expect_all(lines({6, 7, 9, 11, 13}), {26},
             {{"7"},
              {"ranks"},
              {"8 * ranks"},
              {"3 * ranks + 5"},
              {"ranks * (ranks - 1) / 2"},
              {"1000 / ranks"},
              {"(1000 + ranks - 1) / ranks"},
              {"8 * (1000 / ranks)"}});
  expect_all(lines({4, 8, 16, 32, 64}), {1024},
             {{"65536 / ranks"}, {"log2(ranks)"}, {"log2(ranks) + 1"}, {"ranks * log2(ranks)"}});
  expect_all(lines({3, 4, 6, 9, 16, 20}), {1000}, {{"log2(ranks - 1) + 1"}});
}

// Sizes that every number of ranks divided, and the wanted one does not.
TEST(Programs, RoundingsThatCameOutEvenAreUnknown) {
  EXPECT_EQ(answer(lines({4, 6, 9, 12}), {18}, values_of("144 / ranks")), "right");
  // 2 * (72 / 16) is 8, which is said.
  const Samples samples = sample(lines({4, 6, 9, 12}), {16}, values_of("144 / ranks"));
  const Outcome outcome = solve(samples);
  ASSERT_TRUE(outcome.law);
  EXPECT_EQ(print(outcome.law->expression), "144 / ranks");
  ASSERT_TRUE(outcome.law->rounded);
  EXPECT_EQ(print(*outcome.law->rounded), "2 * (72 / ranks)");
  EXPECT_EQ(answer(lines({4, 6, 9, 12}), {20}, values_of("144 / ranks")).substr(0, 7), "refused");
  // 8 * (1000003 / p) or 8000000 / p.
  EXPECT_EQ(answer(lines({4, 9, 16, 25}), {1024}, values_of("8 * (1000003 / ranks)")).substr(0, 7),
            "refused");
}

TEST(Programs, SizesThatUsersChoose) {
  const std::vector<World> runs = {{4, {}, 100}, {5, {}, 333}, {6, {}, 200},
                                   {8, {}, 100}, {9, {}, 250}, {12, {}, 130}};
  expect_all(runs, {100, {}, 12345},
             {{"n / ranks"},
              {"8 * (n / ranks)"},
              {"n / ranks + 2"},
              {"(n + ranks - 1) / ranks"},
              {"n % ranks"}});
  const std::vector<World> on_grids = {
      {8, {2, 4}, 96}, {15, {3, 5}, 96}, {24, {8, 3}, 120}, {24, {4, 6}, 50}, {10, {5, 2}, 77}};
  expect_all(on_grids, {512, {32, 16}, 1000},
             {{"n / d0"}, {"n / d0 * (n / d1)"}, {"8 * (n / d0 + 2) * (n / d1 + 2)"}});
}

TEST(Programs, BlocksWithRemainders) {
  const std::vector<World> runs = {{4, {}, 104}, {6, {}, 106}, {7, {}, 107}, {9, {}, 109}};
  expect_all(runs, {11, {}, 999},
             {{"103 / ranks + (rank < 103 % ranks)"},
              {"103 * (rank + 1) / ranks - 103 * rank / ranks"},
              {"8 * (103 / ranks + (rank < 103 % ranks))"},
              {"n / ranks + (rank < n % ranks)"}});
}

// Three extents tell three numbers and confirm none, however many ranks each run has.
TEST(Programs, RanksDoNotConfirmWhatRunsSay) {
  const Truth law = values_of("rank + 317 * d0 * d0 - 2700 * d0 + 7800");
  const std::string here = answer(grids({{2, 3}, {2, 4}, {3, 4}, {4, 5}}), grid({6, 7}), law);
  EXPECT_EQ(here.substr(0, 7), "refused") << here;
}

// The samples of one run, or two values, say nothing.
TEST(Programs, FewSamplesTellNothing) {
  EXPECT_EQ(answer(lines({4}), {16}, values_of("ranks + 3 + rank")).substr(0, 7), "refused");
  EXPECT_EQ(answer(lines({4, 9}), {16}, values_of("204 * ranks - 799")).substr(0, 7), "refused");
  EXPECT_EQ(answer(lines({4, 16}), {1024}, values_of("4 * log2(ranks)")).substr(0, 7), "refused");
}

// 3 + ranks * ranks % 7 on square and oblong grids: there is an expression for any few numbers.
TEST(Programs, LawsAsLongAsTheirSamplesAreRefused) {
  EXPECT_EQ(answer(grids({{2, 2}, {3, 2}, {4, 2}, {3, 3}}), grid({5, 4}),
                   values_of("3 + ranks * ranks % 7"))
                .substr(0, 7),
            "refused");
  // 8, 12, 16 is also what the logarithm of so many ranks has, rounded up.
  EXPECT_EQ(answer(lines({4, 6, 9}), {64}, values_of("4 * (ranks / 2)")).substr(0, 7), "refused");
  EXPECT_EQ(answer(lines({4, 6, 9}), {64}, values_of("ranks - 1")), "right");
}

// ScalaExtrap, section 3.2, figures 5 to 7.
TEST(Programs, TheEquationsOfThePaper) {
  expect_all(grids({{4, 4}, {5, 5}, {6, 6}}), grid({10, 10}),
             {{"ranks - d0 + 1"}, {"d0 + 1"}, {"d0 - 2"}, {"d0"}});
}

}  // namespace
}  // namespace reprise::solve
