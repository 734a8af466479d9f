#include "write/conceptual/syntax.hpp"

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
  EXPECT_FALSE(is_limited_by(computes(turn), "i"));
  EXPECT_TRUE(uses(computes(turn), "i"));
  EXPECT_TRUE(is_limited_by(computes(falls), "i"));
  EXPECT_FALSE(is_limited_by(computes(falls), "j"));
  const auto defined = [&](const ast::Expr& length, ast::Statement body) {
    Statements all;
    all.push_back(std::move(body));
    return let("k", length, std::move(all));
  };
  EXPECT_FALSE(is_limited_by(defined(turn, computes(variable("k"))), "i"));
  EXPECT_TRUE(is_limited_by(defined(falls, computes(variable("k"))), "i"));
  EXPECT_TRUE(is_limited_by(defined(turn, statement(ast::Synchronize{all_tasks()})), "i"));
}

}  // namespace
}  // namespace reprise::write::conceptual
