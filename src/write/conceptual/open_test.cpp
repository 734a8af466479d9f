// What follows from the number of tasks, read back and evaluated by our own reader of the language.
#include "write/conceptual/open.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "conceptual/execute/fake_machine.hpp"
#include "conceptual/print.hpp"

namespace reprise::write::conceptual {
namespace {

using infer::GridRule;

constexpr std::int64_t kMost = 300;

program::Program open_program() {
  program::Program out;
  out.domain = program::Domain{{{}, 4, kMost}, {}};
  return out;
}

program::Grid grid_of(GridRule::Kind kind, std::size_t dimensions) {
  program::Grid out;
  out.rule = GridRule{};
  out.rule->kind = kind;
  out.rule->dimensions = dimensions;
  for (std::size_t d = 0; d < dimensions; ++d)
    out.extents.push_back(expr::Expr::variable(program::extent(d)));
  return out;
}

// What the statements print on so many tasks, a word each.
std::vector<std::string> printed(const std::string& text, std::int64_t ranks) {
  const auto program = ast::parse_program(text, "p");
  if (!program) return {program.error().message};
  ast::FakeMachine machine(0, ranks);
  try {
    ast::run_on(*program, *ast::parse_arguments(*program, {}, ranks), machine);
  } catch (const ast::Problem& p) {
    return {p.text};
  }
  return machine.printed;
}

ast::Statement outputs(ast::Expr e) {
  ast::Output out;
  out.source = task(number(0));
  out.items.emplace_back().kind = ast::Item::Kind::number;
  out.items.back().number = std::move(e);
  return statement(std::move(out));
}

std::string extent_on(const program::Program& program, std::size_t dimension, std::int64_t ranks) {
  OpenNumbers numbers(program);
  Statements body;
  body.push_back(outputs(variable(program::extent(dimension))));
  const auto lines = printed(ast::print_statements(numbers.defined(std::move(body))), ranks);
  return lines.empty() ? "" : lines.front();
}

TEST(ConceptualOpen, ExtentsAreThoseOfTheRule) {
  for (const auto kind : {GridRule::Kind::balanced, GridRule::Kind::closest}) {
    for (const std::size_t dimensions : {2u, 3u}) {
      program::Program program = open_program();
      program.grid = grid_of(kind, dimensions);
      for (const std::int64_t ranks : {4, 7, 12, 36, 60, 101, 128, 210}) {
        const auto extents = *program.grid->rule->extents(ranks);
        for (std::size_t d = 0; d < dimensions; ++d)
          EXPECT_EQ(extent_on(program, d, ranks), std::to_string(extents[d]) + "\n") << ranks;
      }
    }
  }
}

TEST(ConceptualOpen, ListedExtentsBoundTheNumberOfTasks) {
  program::Program program = open_program();
  program.grid = grid_of(GridRule::Kind::balanced, 2);
  OpenNumbers numbers(program);
  EXPECT_NE(ast::print_statements(numbers.assertions()).find("num_tasks <= 300"),
            std::string::npos);
  Statements body;
  body.push_back(outputs(variable("nx")));
  numbers.defined(std::move(body));
  const std::string text = ast::print_statements(numbers.assertions());
  EXPECT_NE(text.find("num_tasks <= 259"), std::string::npos) << text;
  EXPECT_NE(text.find("the extents of its grid are listed"), std::string::npos) << text;
}

// Each class of numbers has a condition that holds for its numbers alone.
TEST(ConceptualOpen, RunsOnTheNumbersOfTheDomain) {
  for (std::uint8_t s = 0; s < program::NumberClass::kShapes; ++s) {
    for (const std::int64_t multiple : {1, 3}) {
      program::Program program = open_program();
      program.domain->ranks.numbers = {static_cast<program::NumberClass::Shape>(s), multiple};
      OpenNumbers numbers(program);
      const std::string text = ast::print_statements(numbers.assertions());
      for (std::int64_t ranks = 2; ranks < 150; ++ranks)
        EXPECT_EQ(printed(text, ranks).empty(), program.domain->ranks.contains(ranks))
            << ranks << ": " << text;
    }
  }
}

TEST(ConceptualOpen, DurationsAreThoseOfTheCurve) {
  const std::vector<fit::Curve> curves = {
      {{{}}, {1234.4}},
      {{{}, {{0, 0.5, 0}}}, {3.25, 12.5}},
      {{{}, {{0, 1, 0}}}, {5000, 7500.25}},
      {{{{0, -2.0 / 3, 0}}}, {90000}},
      {{{{0, 1, 1}}, {{0, 0, 2}}}, {40.5, 3}},
  };
  for (const fit::Curve& curve : curves) {
    program::Program program = open_program();
    program.computation = {curve};
    Statements all;
    all.push_back(outputs(*duration_of(program, 0)));
    const std::string text = ast::print_statements(all);
    for (const double ranks : {4.0, 9.0, 64.0, 100.0}) {
      const double expected = curve.at(std::vector<double>{ranks});
      const auto lines = printed(text, static_cast<std::int64_t>(ranks));
      ASSERT_EQ(lines.size(), 1u);
      EXPECT_NEAR(std::stod(lines.front()), expected, 1 + 1e-3 * expected) << text;
    }
  }
  program::Program program = open_program();
  EXPECT_FALSE(duration_of(program, 0));
  program.computation = {curves.front(), curves.back()};
  EXPECT_EQ(constant_duration_of(program, 0), 1234);
  EXPECT_FALSE(constant_duration_of(program, 1));
}

}  // namespace
}  // namespace reprise::write::conceptual
