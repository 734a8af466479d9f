// Programs whose sizes and times depend on a declared size of the problem as well.
#include "extrapolate/inputs/problem.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "compress/random_program.hpp"
#include "extrapolate/test_traces.hpp"
#include "trace/cursors/cursor.hpp"

namespace reprise::extrapolate {
namespace {

using test::Stream;

// Each rank sends its share of n numbers as often as n has tens, and computes n^2 / ranks.
Stream shares(std::int64_t rank, std::int64_t ranks, std::int64_t n) {
  Stream out;
  for (std::int64_t i = 0; i < n / 10; ++i) {
    out.push_back({0, n / ranks, (rank + 1) % ranks, 0, 1000 * n * n / ranks, 10 * n});
    out.push_back({1, 8, (rank + 1) % ranks, 0, 0, 0});
  }
  return out;
}

trace::Trace run(std::int64_t ranks, std::int64_t n) {
  return test::run_program([n](auto rank, auto p) { return shares(rank, p, n); }, ranks);
}

struct Point {
  std::int64_t ranks, n;
};

Result<trace::Trace> extrapolate_to(const std::vector<Point>& inputs, Point target,
                                    bool declared = true) {
  std::vector<trace::Trace> traces;
  ProblemParameter n{"n", {}, target.n};
  for (const Point& p : inputs) {
    traces.push_back(run(p.ranks, p.n));
    n.values.push_back(p.n);
  }
  Request request{target.ranks, {}};
  if (declared) request.parameters = {n};
  return test::extrapolate_from(traces, request);
}

const std::vector<Point> kInputs = {{4, 120}, {4, 360}, {6, 120}, {6, 240},
                                    {8, 240}, {8, 480}, {12, 360}};

TEST(Problem, IsAnAxisOfNumbersAndTimes) {
  const Point target{24, 1200};
  const auto trace = extrapolate_to(kInputs, target);
  ASSERT_TRUE(trace) << trace.error().message;
  for (const std::uint64_t rank : {0u, 7u, 23u}) {
    const Stream expected = shares(static_cast<std::int64_t>(rank), target.ranks, target.n);
    trace::Cursor cursor(*trace, rank);
    for (const test::Sent& s : expected) {
      ASSERT_TRUE(cursor.next());
      EXPECT_EQ(cursor.event().scalars[2], s.count);
      EXPECT_EQ(cursor.event().scalars[4], s.dest);
    }
    EXPECT_FALSE(cursor.next());
  }
  ASSERT_EQ(trace->times.size(), 2u);
  EXPECT_NEAR(trace->times[0].path_from(1)->compute.total().mean(), 1000.0 * 1200 * 1200 / 24, 6e5);
  EXPECT_NEAR(trace->times[0].communicate.total().mean(), 12000, 150);
}

TEST(Problem, HoldsWhereRunsOfAsManyRanksDiffer) {
  const auto trace = extrapolate_to({{4, 120}, {4, 240}, {4, 480}, {4, 360}}, {4, 960});
  ASSERT_TRUE(trace) << trace.error().message;
  trace::Cursor cursor(*trace, 0);
  ASSERT_TRUE(cursor.next());
  EXPECT_EQ(cursor.event().scalars[2], 240);
}

TEST(Problem, MustBeDeclared) {
  EXPECT_FALSE(extrapolate_to({{4, 120}, {6, 240}, {8, 120}, {12, 360}}, {24, 1200}, false));
  EXPECT_FALSE(extrapolate_to(kInputs, {24, 1200}, false));
}

// Where the size grows with the ranks, n and 30 ranks are one; elsewhere they are not.
TEST(Problem, IsNotGuessedWhereItCannotBeToldFromTheRanks) {
  const std::vector<Point> weak = {{4, 120}, {6, 180}, {8, 240}, {12, 360}};
  EXPECT_FALSE(extrapolate_to(weak, {24, 1200}));
}

TEST(Problem, BindsItsNames) {
  const std::vector<ProblemParameter> parameters = {{"n", {5, 6}, 7}, {"m", {1, 2}, 3}};
  const std::vector<std::size_t> inputs = {1, 0};
  const Problem problem(parameters, inputs);
  EXPECT_EQ(problem.of_run(0), (std::vector<std::int64_t>{6, 2}));
  EXPECT_EQ(problem.wanted(), (std::vector<std::int64_t>{7, 3}));
  infer::Samples samples;
  samples.parameters = {"i0"};
  samples.worlds = {{{4, {}}, {{0, 9, {2}}}}, {{8, {}}, {{0, 9, {3}}}}};
  const infer::Samples with = problem.add_to(samples);
  EXPECT_EQ(with.parameters, (std::vector<std::string>{"i0", "n", "m"}));
  EXPECT_EQ(with.worlds[1].samples[0].parameters, (std::vector<std::int64_t>{3, 5, 1}));
  EXPECT_EQ(with.wanted, (std::vector<std::int64_t>{3, 7, 3}));
}

}  // namespace
}  // namespace reprise::extrapolate
