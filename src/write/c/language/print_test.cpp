#include "write/c/language/print.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "expr/parse.hpp"
#include "write/c/language/expressions.hpp"

namespace reprise::write::c {
namespace {

const Expression a = name("a"), b = name("b"), d = name("d");

TEST(CPrint, WritesAsFewParenthesesAsCompilersAskFor) {
  using enum Operator;
  EXPECT_EQ(print(binary(multiply, binary(add, a, b), d)), "(a + b) * d");
  EXPECT_EQ(print(binary(add, binary(multiply, a, b), d)), "a * b + d");
  EXPECT_EQ(print(binary(subtract, a, binary(subtract, b, d))), "a - (b - d)");
  EXPECT_EQ(print(binary(logical_or, binary(logical_and, a, b), d)), "(a && b) || d");
  EXPECT_EQ(print(binary(bit_xor, a, binary(shift_left, b, d))), "a ^ (b << d)");
  EXPECT_EQ(print(binary(equal, binary(bit_and, a, b), d)), "(a & b) == d");
  EXPECT_EQ(print(unary(Prefix::negate, number(-1))), "-(-1)");
  EXPECT_EQ(print(unary(Prefix::negate, unary(Prefix::negate, a))), "-(-a)");
  EXPECT_EQ(print(conditional(a, conditional(a, b, d), d)), "a ? (a ? b : d) : d");
  EXPECT_EQ(print(conditional(a, b, conditional(b, d, a))), "a ? b : b ? d : a");
  EXPECT_EQ(print(address_of(subscript(a, binary(add, b, d)))), "&a[b + d]");
}

TEST(CPrint, WritesNumbersThatAreNoIntsAsLong) {
  EXPECT_EQ(print(number(2147483647)), "2147483647");
  EXPECT_EQ(print(number(2147483648)), "2147483648LL");
  EXPECT_EQ(print(number(std::numeric_limits<std::int64_t>::min())),
            "(-9223372036854775807LL - 1)");
}

TEST(CPrint, BreaksLinesBehindCommas) {
  std::vector<Expression> all(40, name("argument"));
  const std::string text = print(Block{evaluate(call("f", all))});
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
    EXPECT_LE(text.find('\n', at) - at, kWidth);
}

TEST(CPrint, WritesDeclarationsAndLoops) {
  EXPECT_EQ(print(Block{{For{"i", number(3), false, {declare("const int *", "p", a)}}}}),
            "for (int i = 0; i < 3; i++) {\n  const int *p = a;\n}\n");
  EXPECT_EQ(print(Block{{For{"i", call("next"), true, {evaluate(call("f"))}}}}),
            "for (int i = 0, n_i = next(); i < n_i; i++) {\n  f();\n}\n");
  EXPECT_EQ(print(Block{{Repeat{{evaluate(call("f"))}, unary(Prefix::logical_not, a)}}}),
            "do f(); while (!a);\n");
}

std::string c_text(std::string_view text) {
  const ExpressionNames names = {[](const std::string& v) { return name(v); },
                                 [](std::int64_t v) { return number(v); }};
  return print(c_of(*expr::parse(text), names));
}

// C rounds towards 0.
TEST(CExpressions, AskAFunctionWhereNumbersMayBeBelowZero) {
  EXPECT_EQ(c_text("(rank + 1) % ranks"), "(rank + 1) % ranks");
  EXPECT_EQ(c_text("(rank - 1) % ranks"), "(rank + ranks - 1) % ranks");
  EXPECT_EQ(c_text("(rank - 3) % 8"), "(rank + 5) % 8");
  EXPECT_EQ(c_text("(rank - x0) % 8"), "reprise_modulo(rank - x0, 8)");
  EXPECT_EQ(c_text("(rank - 1) / 2"), "reprise_divide(rank - 1, 2)");
  EXPECT_EQ(c_text("proc_null"), "MPI_PROC_NULL");
}

TEST(CExpressions, AreLongWhereAnIntMayBeTooSmall) {
  const auto text = [](std::string_view written, std::int64_t most) {
    const ExpressionNames names = {[](const std::string& v) { return name(v); },
                                   [](std::int64_t v) { return number(v); },
                                   [=](const std::string&) { return most; }};
    return print(c_of(*expr::parse(written), names));
  };
  EXPECT_EQ(text("rank * 1073741824", 1), "rank * 1073741824");
  EXPECT_EQ(text("rank * 1073741824", 2), "(long long)rank * 1073741824");
  EXPECT_EQ(text("rank * 3 + 5", 1000000000), "(long long)rank * 3 + 5");
  EXPECT_EQ(text("rank + ranks", 1 << 30), "(long long)rank + ranks");
  EXPECT_EQ(text("rank << 28", 16), "(long long)rank << 28");
  EXPECT_EQ(text("rank * 4294967296", 16), "rank * 4294967296LL");
  EXPECT_EQ(text("i0 * 2", 1LL << 31), "i0 * 2");  // the variable is long
  EXPECT_EQ(text("rank * 8 % 7", 1 << 20), "rank * 8 % 7");
}

}  // namespace
}  // namespace reprise::write::c
