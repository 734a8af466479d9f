#include "write/conceptual/language/syntax.hpp"

#include <gtest/gtest.h>

#include "conceptual/print.hpp"

namespace reprise::write::conceptual {
namespace {

std::string ranges(const std::vector<std::int64_t>& numbers) {
  Statements body;
  body.push_back(statement(ast::Synchronize{all_tasks()}));
  Statements all;
  all.push_back(for_each("i", ranges_of(numbers), std::move(body)));
  const std::string text = ast::print_statements(all);
  const std::string front = "FOR EACH i IN ", end = " ALL TASKS SYNCHRONIZE.\n";
  return text.substr(front.size(), text.size() - front.size() - end.size());
}

// Progressions of four or more; fewer numbers are as short by themselves.
TEST(ConceptualSyntax, WritesProgressions) {
  EXPECT_EQ(ranges({7}), "{7}");
  EXPECT_EQ(ranges({1, 2, 3}), "{1, 2, 3}");
  EXPECT_EQ(ranges({1, 2, 3, 4}), "{1, ..., 4}");
  EXPECT_EQ(ranges({0, 4, 8, 12}), "{0, 4, ..., 12}");
  EXPECT_EQ(ranges({0, 1, 5, 8, 11, 14, 20}), "{0, 1}, {5, 8, ..., 14}, {20}");
}

TEST(ConceptualSyntax, FindsVariables) {
  Statements body;
  body.push_back(statement(ast::Synchronize{
      tasks_such_that("t", relation(ast::Relation::Kind::less, variable("t"), variable("k1")))}));
  Statements all;
  all.push_back(for_each("i", every_task(), std::move(body)));
  EXPECT_TRUE(uses(all.front(), "k1"));
  EXPECT_TRUE(uses(all.front(), "num_tasks"));
  EXPECT_FALSE(uses(all.front(), "i"));
}

// What is computed 20 times need not make sense for the 21st if it gets shorter each time.
TEST(ConceptualSyntax, FindsWhatLimitsIterations) {
  const auto computes = [](ast::Expr length) {
    return statement(ast::Delay{all_tasks(), std::move(length)});
  };
  const auto turn = binary(ast::Op::modulo, variable("i"), number(3));
  const auto falls = binary(ast::Op::subtract, number(3000),
                            binary(ast::Op::multiply, variable("i"), number(200)));
  EXPECT_FALSE(is_limited_by(computes(turn), "i", 19));
  EXPECT_TRUE(uses(computes(turn), "i"));
  EXPECT_TRUE(is_limited_by(computes(falls), "i", 19));
  EXPECT_FALSE(is_limited_by(computes(falls), "j", 19));
  const auto defined = [&](const ast::Expr& length, ast::Statement body) {
    Statements all;
    all.push_back(std::move(body));
    return let("k", length, std::move(all));
  };
  EXPECT_FALSE(is_limited_by(defined(turn, computes(variable("k"))), "i", 19));
  EXPECT_TRUE(is_limited_by(defined(falls, computes(variable("k"))), "i", 19));
  EXPECT_TRUE(is_limited_by(defined(turn, statement(ast::Synchronize{all_tasks()})), "i", 19));
}

// With more iterations, the first is still the first, and the last another one.
TEST(ConceptualSyntax, EndsDoNotLimitIterations) {
  using Kind = ast::Relation::Kind;
  const auto when = [](Kind kind, std::int64_t n) {
    Statements body;
    body.push_back(statement(ast::Synchronize{all_tasks()}));
    return if_holds(relation(kind, variable("i"), number(n)), std::move(body));
  };
  const ast::Expr last = binary(ast::Op::subtract, variable("reps"), number(1));
  const auto written = [&](ast::Statement s) {
    set_last(s, "i", 19, last);
    Statements all;
    all.push_back(std::move(s));
    return ast::print_statements(all);
  };
  EXPECT_FALSE(is_limited_by(when(Kind::equal, 19), "i", 19));
  EXPECT_EQ(written(when(Kind::equal, 19)), "IF i = reps-1 THEN ALL TASKS SYNCHRONIZE.\n");
  EXPECT_FALSE(is_limited_by(when(Kind::less, 19), "i", 19));
  EXPECT_EQ(written(when(Kind::less, 19)), "IF i < reps-1 THEN ALL TASKS SYNCHRONIZE.\n");
  EXPECT_FALSE(is_limited_by(when(Kind::equal, 0), "i", 19));
  EXPECT_FALSE(is_limited_by(when(Kind::greater, 0), "i", 19));
  EXPECT_EQ(written(when(Kind::greater, 0)), "IF i > 0 THEN ALL TASKS SYNCHRONIZE.\n");
  EXPECT_TRUE(is_limited_by(when(Kind::equal, 18), "i", 19));
  EXPECT_TRUE(is_limited_by(when(Kind::greater, 19), "i", 19));
}

}  // namespace
}  // namespace reprise::write::conceptual
