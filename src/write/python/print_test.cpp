#include "write/python/print.hpp"

#include <gtest/gtest.h>

#include "write/python/expressions.hpp"
#include "write/python/text.hpp"

namespace reprise::write::python {
namespace {

using expr::Expr;

const Expression a = name("a"), b = name("b"), c = name("c");

TEST(PythonPrint, WritesAsFewParenthesesAsPythonNeeds) {
  using enum Operator;
  EXPECT_EQ(print(binary(multiply, binary(add, a, b), c)), "(a + b) * c");
  EXPECT_EQ(print(binary(add, binary(multiply, a, b), c)), "a * b + c");
  EXPECT_EQ(print(binary(subtract, a, binary(subtract, b, c))), "a - (b - c)");
  EXPECT_EQ(print(binary(logical_and, binary(logical_or, a, b), c)), "(a or b) and c");
  EXPECT_EQ(print(unary(Prefix::negate, binary(add, a, b))), "-(a + b)");
  EXPECT_EQ(print(attribute(number(-1), "real")), "(-1).real");
  EXPECT_EQ(print(conditional(a, conditional(a, b, c), c)), "a if (a if b else c) else c");
}

// `a < b == c` would mean `a < b and b == c`.
TEST(PythonPrint, DoesNotChainComparisons) {
  EXPECT_EQ(print(binary(Operator::equal, binary(Operator::less, a, b), c)), "(a < b) == c");
  EXPECT_EQ(print(binary(Operator::equal, a, binary(Operator::in, b, c))), "a == (b in c)");
}

TEST(PythonPrint, BreaksWhatIsTooLongWithinBrackets) {
  const Expression long_name = name(std::string(60, 'x'));
  const Block block = {evaluate(call("f", {long_name, long_name}), "a.c:1")};
  const std::string x(60, 'x');
  EXPECT_EQ(print(block), "f(\n    " + x + ",\n    " + x + ",\n)  # a.c:1\n");
}

TEST(PythonPrint, PutsAnEmptyBlockAsPass) {
  EXPECT_EQ(print(Block{{Function{"f", {"a"}, {}}}}), "def f(a):\n    pass\n");
}

TEST(PythonExpressions, ComputeWhatExpressionsDo) {
  Parts parts;
  const ExpressionNames names = {[](const std::string& v) { return name(v); },
                                 [](std::int64_t v) { return number(v); }};
  const Expr x = Expr::variable("x"), y = Expr::variable("y");
  const Expr both = Expr::make(expr::Op::logical_and, x, y);
  EXPECT_EQ(print(python_of(both, names, parts, true)), "x and y");
  // `and` gives one of its operands in Python.
  EXPECT_EQ(print(python_of(both + x, names, parts)), "int(bool(x and y)) + x");
  EXPECT_EQ(print(python_of(x / y % x, names, parts)), "x // y % x");
  EXPECT_TRUE(parts.empty());
  EXPECT_EQ(print(python_of(Expr::make(expr::Op::log2, x), names, parts)), "log2(x)");
  EXPECT_TRUE(parts.contains(RuntimePart::arithmetic));
}

TEST(PythonText, IsHarmlessWhateverItHas) {
  EXPECT_EQ(quoted("a\"b\\\n\xe2"), "\"a\\\"b\\\\\\x0a\\xe2\"");
  EXPECT_EQ(identifier("Solver<int>::step"), "Solver_int___step");
  EXPECT_EQ(identifier("3d"), "_3d");
  EXPECT_EQ(identifier("lambda"), "lambda_");
  EXPECT_EQ(comment_text("a\nimport os"), "a\\nimport os");
}

}  // namespace
}  // namespace reprise::write::python
