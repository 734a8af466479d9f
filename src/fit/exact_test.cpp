#include "fit/exact.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>

#include "expr/parse.hpp"
#include "expr/print.hpp"
#include "expr/program.hpp"
#include "fit/linear.hpp"
#include "fit/terms.hpp"

namespace reprise::fit {
namespace {

using Point = std::vector<std::int64_t>;
using Truth = std::function<std::int64_t(const Point&)>;

ExactSamples sample(std::vector<std::string> variables, const std::vector<Point>& points,
                    const std::vector<Point>& targets, const Truth& truth) {
  ExactSamples samples{std::move(variables), points, {}, targets};
  for (const Point& p : points) samples.values.push_back(truth(p));
  return samples;
}

// The text of the law, after its predictions were compared with the truth.
std::string law_of(const ExactSamples& samples, const Truth& truth) {
  const ExactLaw found = fit_exact(samples);
  if (found.verdict != Verdict::determined) return found.refusal;
  const auto program = *expr::Program::compile(found.law, samples.variables);
  for (const Point& t : samples.targets) EXPECT_EQ(program.run(t), truth(t)) << print(found.law);
  return print(found.law);
}

std::vector<Point> points(const std::vector<std::int64_t>& values) {
  std::vector<Point> out;
  for (const std::int64_t v : values) out.push_back({v});
  return out;
}

std::string over_ranks(const std::vector<std::int64_t>& at, const Truth& truth) {
  return law_of(sample({"ranks"}, points(at), points({1024}), truth), truth);
}

TEST(Exact, ConstantsAndTerms) {
  EXPECT_EQ(over_ranks({4, 9}, [](auto&) { return 7; }), "7");
  const Truth seven = [](auto&) { return 7; };
  EXPECT_EQ(law_of(sample({"ranks", "n"}, {{4, 8}, {9, 8}}, {{1024, 8}}, seven), seven), "7");
  EXPECT_EQ(over_ranks({4, 9}, [](auto& p) { return p[0]; }), "ranks");
  EXPECT_EQ(over_ranks({4, 9}, [](auto& p) { return p[0] - 1; }), "ranks - 1");
  EXPECT_EQ(over_ranks({4, 9, 25}, [](auto& p) { return 8 * p[0]; }), "8 * ranks");
  EXPECT_EQ(over_ranks({4, 8, 16}, [](auto& p) { return std::bit_width<std::uint64_t>(p[0]) - 1; }),
            "log2(ranks)");
  EXPECT_EQ(over_ranks({4, 9, 25}, [](auto& p) { return p[0] * (p[0] - 1) / 2; }),
            "(ranks * ranks - ranks) / 2");
  EXPECT_EQ(over_ranks({4, 9, 25, 36}, [](auto& p) { return 3 * p[0] + 5; }), "3 * ranks + 5");
}

TEST(Exact, InverseProportions) {
  EXPECT_EQ(over_ranks({4, 8, 16}, [](auto& p) { return 65536 / p[0]; }), "65536 / ranks");
  EXPECT_EQ(over_ranks({4, 8, 16}, [](auto& p) { return (1 << 26) / p[0] / p[0]; }),
            "67108864 / (ranks * ranks)");
  // Integer division: 1000 is not the only number, but all of them agree at the target.
  const Truth divided = [](const Point& p) { return 1000 / p[0]; };
  const auto far = sample({"ranks"}, points({6, 7, 9, 11, 13}), points({26}), divided);
  EXPECT_EQ(law_of(far, divided), "1000 / ranks");
  const Truth ceiling = [](const Point& p) { return (1000 + p[0] - 1) / p[0]; };
  law_of(sample({"ranks"}, points({6, 7, 9, 11, 13}), points({26}), ceiling), ceiling);
  const Truth bytes = [](const Point& p) { return 8 * (1000 / p[0]); };
  EXPECT_EQ(law_of(sample({"ranks"}, points({6, 7, 9, 11, 13}), points({26}), bytes), bytes),
            "8 * (1000 / ranks)");
}

// Sizes that every number of ranks divided, and the wanted one does not.
TEST(Exact, RoundingsThatCameOutEvenAreUnknown) {
  const Truth whole = [](auto& p) { return 144 / p[0]; };
  const std::vector<Point> at = points({4, 6, 9, 12});
  EXPECT_EQ(fit_exact(sample({"ranks"}, at, points({16}), whole)).verdict, Verdict::determined);
  EXPECT_EQ(fit_exact(sample({"ranks"}, at, points({20}), whole)).verdict, Verdict::ambiguous);
}

TEST(Exact, WholesThatGrowWithALoop) {
  const Truth truth = [](auto& p) { return (100 + 7 * p[1]) / p[0] + 1; };
  std::vector<Point> at, targets;
  for (const std::int64_t i : {0, 1, 2, 3, 4}) {
    for (const std::int64_t ranks : {4, 6, 9, 12}) at.push_back({ranks, i});
    targets.push_back({16, i});
  }
  law_of(sample({"ranks", "i0"}, at, targets, truth), truth);
  const Truth doubled = [](auto& p) { return (std::int64_t{1024} << p[1]) / (p[0] * p[0]) + 1; };
  law_of(sample({"ranks", "i0"}, at, targets, doubled), doubled);
}

// Displacements: the index times a block that is rounded down, or rounded after that.
TEST(Exact, BlocksTimesAnIndex) {
  std::vector<Point> at, targets;
  for (const std::int64_t ranks : {4, 6, 8, 12}) {
    for (std::int64_t i = 0; i < ranks; ++i) at.push_back({ranks, i});
  }
  for (std::int64_t i = 0; i < 20; ++i) targets.push_back({20, i});
  const Truth before = [](auto& p) { return p[1] * (1000 / p[0]); };
  const Truth after = [](auto& p) { return p[1] * 1000 / p[0]; };
  EXPECT_EQ(law_of(sample({"ranks", "index"}, at, targets, before), before),
            "index * (1000 / ranks)");
  EXPECT_EQ(law_of(sample({"ranks", "index"}, at, targets, after), after), "1000 * index / ranks");
  // Where all come out even, the target may tell them apart.
  const Truth even = [](auto& p) { return p[1] * (576 / p[0]); };
  EXPECT_EQ(fit_exact(sample({"ranks", "index"}, at, targets, even)).verdict, Verdict::ambiguous);
}

// Three extents tell three numbers and confirm none, however many ranks each run has.
TEST(Exact, RanksDoNotConfirmWhatRunsSay) {
  const Truth truth = [](auto& p) { return p[0] + 300 * p[2] * p[2] - 2700 * p[2] + 7800; };
  const auto samples = [&](const std::vector<std::pair<std::int64_t, std::int64_t>>& runs) {
    std::vector<Point> at;
    for (const auto& [ranks, extent] : runs) {
      for (std::int64_t r = 0; r < ranks; ++r) at.push_back({r, ranks, extent});
    }
    return sample({"rank", "ranks", "d0"}, at, {{0, 42, 6}, {7, 42, 6}}, truth);
  };
  const ExactLaw few = fit_exact(samples({{6, 2}, {8, 2}, {12, 3}, {20, 4}}));
  EXPECT_EQ(few.verdict, Verdict::interpolating) << print(few.law);
  // A fourth extent confirms them.
  const auto enough = samples({{6, 2}, {8, 2}, {12, 3}, {20, 4}, {30, 5}});
  EXPECT_EQ(fit_exact(enough).verdict, Verdict::determined) << fit_exact(enough).refusal;
  law_of(enough, truth);
}

// Three values that one variable tells are no evidence of four numbers.
TEST(Exact, AListOfOneVariableIsNoLaw) {
  const Truth truth = [](auto& p) { return std::int64_t{64} >> (2 * p[1]); };
  std::vector<Point> at;
  for (const std::int64_t extent : {2, 3, 4}) {
    for (const std::int64_t i : {0, 1, 2}) at.push_back({extent, i});
  }
  const ExactLaw found = fit_exact(sample({"d0", "i0"}, at, {{5, 2}}, truth));
  EXPECT_EQ(found.verdict, Verdict::interpolating) << print(found.law);
}

// On squares and oblongs of up to twelve ranks the least extent is the logarithm of their number.
TEST(Exact, AnExtentIsNoLogarithm) {
  const Truth truth = [](auto& p) { return p[1]; };
  const std::vector<Point> at = {{4, 2}, {6, 2}, {9, 3}, {12, 3}};
  EXPECT_EQ(law_of(sample({"ranks", "d0"}, at, {{64, 8}}, truth), truth), "d0");
}

TEST(Exact, ProblemParameters) {
  const std::vector<Point> at = {{4, 100}, {8, 100}, {6, 200}, {12, 130}};
  const std::vector<Point> target = {{1000, 12345}};
  const auto check = [&](const Truth& truth) {
    return law_of(sample({"ranks", "n"}, at, target, truth), truth);
  };
  EXPECT_EQ(check([](auto& p) { return p[1] / p[0]; }), "n / ranks");
  EXPECT_EQ(check([](auto& p) { return 8 * (p[1] / p[0]); }), "8 * (n / ranks)");
  EXPECT_EQ(check([](auto& p) { return p[1] / p[0] + 2; }), "n / ranks + 2");
  EXPECT_EQ(check([](auto& p) { return (p[1] + p[0] - 1) / p[0]; }), "(n + ranks - 1) / ranks");
  EXPECT_EQ(check([](auto& p) { return p[1] % p[0]; }), "n % ranks");
}

// 8 * (1000003 / p) or 8000000 / p: what the elements are divided by decides, and the samples do
// not show it.
TEST(Exact, TellsElementsFromBytes) {
  const Truth elements = [](const Point& p) { return 8 * (1000003 / p[0]); };
  EXPECT_EQ(fit_exact(sample({"ranks"}, points({4, 9, 16, 25}), points({1024}), elements)).verdict,
            Verdict::ambiguous);
  const Truth divided = [](const Point& p) { return 8 * p[1] / p[0]; };
  const std::vector<Point> at = {{4, 101}, {8, 113}, {6, 200}, {12, 131}};
  EXPECT_EQ(law_of(sample({"ranks", "n"}, at, {{1000, 12345}}, divided), divided), "8 * n / ranks");
}

TEST(Exact, BlocksWithRemainders) {
  std::vector<Point> at;
  std::vector<Point> with_n;
  for (const std::int64_t p : {4, 6, 7}) {
    for (std::int64_t r = 0; r < p; ++r) {
      at.push_back({r, p});
      with_n.push_back({r, p, 100 + p});
    }
  }
  for (const Blocks kind : kBlocks) {
    const Truth unknown = [&](const Point& p) { return block_size(kind, 103, {p[0], p[1]}); };
    EXPECT_EQ(law_of(sample({"rank", "ranks"}, at, {{3, 11}, {0, 11}}, unknown), unknown),
              print(block_size(kind, expr::Expr(103), expr::Expr::variable("rank"),
                               expr::Expr::variable("ranks"))));
    const Truth known = [&](const Point& p) { return block_size(kind, p[2], {p[0], p[1]}); };
    law_of(sample({"rank", "ranks", "n"}, with_n, {{3, 11, 999}, {0, 11, 999}}, known), known);
    const Truth bytes = [&](const Point& p) { return 8 * block_size(kind, 103, {p[0], p[1]}); };
    law_of(sample({"rank", "ranks"}, at, {{3, 11}, {0, 11}}, bytes), bytes);
  }
}

TEST(Exact, LocalBlocksAndHalos) {
  const std::vector<Point> at = {{2, 4, 96}, {3, 5, 96}, {8, 3, 120}, {4, 6, 50}, {5, 2, 77}};
  const std::vector<Point> target = {{32, 16, 1000}};
  const auto check = [&](const Truth& truth) {
    return law_of(sample({"d0", "d1", "n"}, at, target, truth), truth);
  };
  EXPECT_EQ(check([](auto& p) { return p[2] / p[0]; }), "n / d0");
  EXPECT_EQ(check([](auto& p) { return (p[2] / p[0]) * (p[2] / p[1]); }), "n / d0 * (n / d1)");
  EXPECT_EQ(check([](auto& p) { return 8 * (p[2] / p[0] + 2) * (p[2] / p[1] + 2); }),
            "8 * ((n / d0 + 2) * (n / d1 + 2))");
  EXPECT_EQ(check([](auto& p) { return p[2] / p[0] + p[2] / p[1]; }), "n / d0 + n / d1");
}

// ScalaExtrap, section 3.2, figures 5 to 7.
TEST(Exact, TheEquationsOfThePaper) {
  const auto peer = sample({"ranks", "d0"}, {{16, 4}, {25, 5}, {36, 6}}, {{100, 10}},
                           [](auto& p) { return p[0] - p[1] + 1; });
  EXPECT_EQ(peer.values, (std::vector<std::int64_t>{13, 21, 31}));
  const std::vector<std::int64_t> square = {16, 25, 36};
  const std::vector<std::int64_t> side = {4, 5, 6};
  const std::vector<std::int64_t> one = {1, 1, 1};
  const auto solved = solve(std::array{&square, &side, &one}, peer.values);
  ASSERT_TRUE(solved);
  EXPECT_EQ(solved->numerators, (std::vector<std::int64_t>{1, -1, 1}));
  EXPECT_EQ(solved->denominator, 1);
  EXPECT_EQ(100 * solved->numerators[0] + 10 * solved->numerators[1] + solved->numerators[2], 91);
  // Factors of one are not found but there from the start: three samples are enough.
  const Truth truth = [](const Point& p) { return p[0] - p[1] + 1; };
  EXPECT_EQ(law_of(peer, truth), "ranks - d0 + 1");
  // <2 x+1 x-2 x x-2 1>
  for (const std::int64_t by : {1, -2, 0}) {
    const Truth field = [by](const Point& p) { return p[0] + by; };
    law_of(sample({"d0"}, points({4, 5, 6}), points({10}), field), field);
  }
}

TEST(Exact, TripCounts) {
  const std::vector<Point> at = {{2, 4}, {5, 3}, {3, 8}};
  const auto over_grid = [&](const Truth& truth) {
    return law_of(sample({"d0", "d1"}, at, {{32, 17}}, truth), truth);
  };
  EXPECT_EQ(over_grid([](auto& p) { return p[0] + p[1] - 1; }), "d0 + d1 - 1");
  EXPECT_EQ(over_grid([](auto& p) { return 2 * (p[0] + p[1]); }), "2 * d0 + 2 * d1");
  const Truth rounds = [](const Point& p) { return std::bit_width<std::uint64_t>(p[0] - 1); };
  law_of(sample({"ranks"}, points({3, 4, 6, 9, 16, 20}), points({1000, 1024}), rounds), rounds);
  const Truth levels = [](const Point& p) {
    return std::bit_width<std::uint64_t>(p[1] / p[0]) - 1;
  };
  law_of(sample({"ranks", "n"}, {{4, 64}, {8, 64}, {8, 1024}, {16, 4096}}, {{64, 1 << 20}}, levels),
         levels);
}

TEST(Exact, ProductsOfThreeExtents) {
  const Truth truth = [](const Point& p) { return p[0] * p[1] * p[2] - p[0] * p[1] + p[0] - 1; };
  const std::vector<Point> at = {{2, 3, 4}, {4, 2, 3}, {3, 3, 5}, {5, 4, 2}, {6, 2, 7}};
  law_of(sample({"d0", "d1", "d2"}, at, {{9, 8, 7}}, truth), truth);
}

// What programs count, on grids of any shape and on squares: found or refused, never wrong.
constexpr const char* kCounts[] = {
    "7",
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
    "5 * d0 - 3",
};

TEST(Exact, IsNeverWrongAboutPrograms) {
  const std::vector<std::string> names = {"ranks", "d0", "d1"};
  const std::vector<std::vector<Point>> shapes = {
      {{8, 4, 2}, {15, 5, 3}, {24, 3, 8}, {24, 6, 4}, {35, 5, 7}},
      {{16, 4, 4}, {25, 5, 5}, {36, 6, 6}, {49, 7, 7}},
      {{4, 2, 2}, {9, 3, 3}, {16, 4, 4}}};
  const std::vector<Point> targets = {{1000, 40, 25}, {1024, 32, 32}, {1024, 32, 32}};
  int determined = 0;
  for (const char* text : kCounts) {
    const auto program = *expr::Program::compile(*expr::parse(text), names);
    const Truth truth = [&](const Point& p) { return *program.run(p); };
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      const ExactSamples samples = sample(names, shapes[i], {targets[i]}, truth);
      if (fit_exact(samples).verdict != Verdict::determined) continue;
      ++determined;
      law_of(samples, truth);
      EXPECT_FALSE(HasFailure()) << text;
    }
  }
  EXPECT_GT(determined, 50);
}

TEST(Exact, RefusesWhatSamplesDoNotDetermine) {
  const auto verdict = [](const std::vector<std::int64_t>& at, std::vector<std::int64_t> values,
                          std::int64_t target) {
    return fit_exact({{"ranks"}, points(at), std::move(values), points({target})}).verdict;
  };
  EXPECT_EQ(verdict({4}, {7}, 16), Verdict::interpolating);
  EXPECT_EQ(verdict({4, 9}, {17, 1037}, 16), Verdict::interpolating);
  // 8 and 16 at 4 and 16 ranks: four times the root or four times the logarithm.
  EXPECT_EQ(verdict({4, 16}, {8, 16}, 1024), Verdict::ambiguous);
  EXPECT_EQ(verdict({4, 6, 9, 12, 15}, {3, 1, 4, 1, 5}, 16), Verdict::unexplained);
  const ExactLaw unseen = fit_exact({{"ranks", "n"}, {{4, 10}, {9, 10}}, {4, 9}, {{16, 20}}});
  EXPECT_EQ(unseen.verdict, Verdict::unexplained);
  EXPECT_EQ(unseen.refusal, "'n' is the same in all samples and differs at a target");
}

RC_GTEST_PROP(Exact, SolvesWhatWasCombined, ()) {
  const auto columns = *rc::gen::inRange<std::size_t>(1, 5);
  const auto number = rc::gen::inRange<std::int64_t>(-1000, 1000);
  const auto factors = *rc::gen::container<std::vector<std::int64_t>>(columns, number);
  std::vector<std::vector<std::int64_t>> data;
  std::vector<const std::vector<std::int64_t>*> pointers;
  std::vector<std::int64_t> values(7);
  for (std::size_t c = 0; c < columns; ++c) {
    data.push_back(*rc::gen::container<std::vector<std::int64_t>>(values.size(), number));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] += factors[c] * data[c][i];
  }
  for (const auto& column : data) pointers.push_back(&column);
  // Nothing where the columns depend on each other.
  if (const auto solved = solve(pointers, values)) {
    RC_ASSERT(solved->denominator == 1);
    RC_ASSERT(solved->numerators == factors);
  }
}

}  // namespace
}  // namespace reprise::fit
