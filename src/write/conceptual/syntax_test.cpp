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

}  // namespace
}  // namespace reprise::write::conceptual
