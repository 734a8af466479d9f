#include "extrapolate/values/lines.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "expr/parse.hpp"
#include "expr/program.hpp"
#include "expr/random_expr.hpp"

namespace reprise::extrapolate {
namespace {

using OutcomeKind = LineEvaluator::Outcome::Kind;

const std::vector<std::string> kNames = {"x", "y", "n"};

LineEvaluator evaluator(const std::string& text) {
  return *LineEvaluator::make(*expr::parse(text), kNames);
}

// On ten ranks: x from 0 on, y = 7, n = 10.
const std::vector<Line> kRow = {{0, 1}, {7, 0}, {10, 0}};

TEST(Lines, SumsAndMultiplesAreLines) {
  const auto found = evaluator("3 * (n - x) + y").at(kRow, 10);
  EXPECT_EQ(found.kind, OutcomeKind::line);
  EXPECT_EQ(found.line, (Line{37, -3}));
}

TEST(Lines, BordersSplit) {
  const auto inner = evaluator("x > 0 ? x - 1 : 0 - 5");
  auto found = inner.at(kRow, 10);
  EXPECT_EQ(found.kind, OutcomeKind::split);
  EXPECT_EQ(found.ranks, 1U);
  const std::vector<Line> behind = {{1, 1}, {7, 0}, {10, 0}};
  found = inner.at(behind, 9);
  EXPECT_EQ(found.kind, OutcomeKind::line);
  EXPECT_EQ(found.line, (Line{0, 1}));
}

TEST(Lines, WrapsSplitWhereTheyWrap) {
  const auto found = evaluator("(x + y) % n").at(kRow, 10);
  EXPECT_EQ(found.kind, OutcomeKind::split);
  EXPECT_EQ(found.ranks, 3U);
}

TEST(Lines, BitsAreAskedForOneByOne) {
  EXPECT_EQ(evaluator("x ^ y").at(kRow, 10).kind, OutcomeKind::pointwise);
  EXPECT_EQ(evaluator("x ^ y").at(kRow, 1).line.first, 7);
}

TEST(Lines, WhatHasNoValueSaysSo) {
  EXPECT_EQ(evaluator("y / (n - 10)").at(kRow, 10).kind, OutcomeKind::none);
}

// Whatever the expression, going on from split to split yields the values of the program.
RC_GTEST_PROP(Lines, AgreeWithThePrograms, ()) {
  const expr::Expr e = *expr::random_expr();
  const auto program = expr::Program::compile(e, expr::kTestNames);
  const auto lines = LineEvaluator::make(e, expr::kTestNames);
  RC_ASSERT(program && lines);
  const std::vector<Line> variables = {{*rc::gen::inRange<std::int64_t>(-5, 5), 1},
                                       {*rc::gen::inRange<std::int64_t>(-9, 9), 0},
                                       {*rc::gen::inRange<std::int64_t>(0, 20), -2},
                                       {*rc::gen::inRange<std::int64_t>(-3, 20), 3}};
  const std::uint64_t ranks = *rc::gen::inRange<std::uint64_t>(1, 30);
  for (std::uint64_t at = 0; at < ranks;) {
    std::vector<Line> here = variables;
    for (Line& l : here) l.first += l.step * static_cast<std::int64_t>(at);
    std::uint64_t count = ranks - at;
    auto found = lines->at(here, count);
    while (found.kind == OutcomeKind::split || found.kind == OutcomeKind::pointwise) {
      RC_ASSERT(count > 1);
      if (found.kind == OutcomeKind::split) RC_ASSERT(found.ranks > 0 && found.ranks < count);
      count = found.kind == OutcomeKind::split ? found.ranks : 1;
      found = lines->at(here, count);
    }
    for (std::uint64_t i = 0; i < count; ++i) {
      std::vector<std::int64_t> slots;
      for (const Line& l : here) slots.push_back(l.first + l.step * static_cast<std::int64_t>(i));
      const auto value = program->run(slots);
      if (found.kind == OutcomeKind::none) {
        RC_ASSERT(!value);
      } else {
        RC_ASSERT(value == found.line.first + found.line.step * static_cast<std::int64_t>(i));
      }
    }
    at += count;
  }
}

}  // namespace
}  // namespace reprise::extrapolate
