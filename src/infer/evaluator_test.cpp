#include "infer/evaluator.hpp"

#include <gtest/gtest.h>

#include "expr/parse.hpp"
#include "infer/sample_of.hpp"

namespace reprise::infer {
namespace {

TEST(Evaluator, KnowsCoordinatesParametersAndProcNull) {
  const auto law = *expr::parse("x1 + 1 < d1 ? rank + d0 + 0 * n : proc_null");
  const std::vector<std::string> names = {"n"};
  const std::vector<std::int64_t> n = {7};
  auto evaluator = Evaluator::make(law, 2, names);
  ASSERT_TRUE(evaluator);
  EXPECT_EQ(evaluator->at(1, grid({4, 3}), n), 5);
  EXPECT_EQ(evaluator->at(9, grid({4, 3}), n), trace::kProcNull);
  // A million ranks are no more than a dozen.
  EXPECT_EQ(evaluator->at(999, grid({1024, 1024}), n), 2023);
  EXPECT_FALSE(Evaluator::make(law, 1, names));
  EXPECT_EQ(Evaluator::make(*expr::parse("1 / (rank - 1)"), 0)->at(1, {4, {}}), std::nullopt);
}

}  // namespace
}  // namespace reprise::infer
