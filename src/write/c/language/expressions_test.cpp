#include "write/c/language/expressions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>

#include "expr/parse.hpp"
#include "expr/program.hpp"
#include "expr/random_expr.hpp"
#include "write/c/language/print.hpp"
#include "write/c/write.hpp"
#include "write/unwritable.hpp"

namespace reprise::write::c {
namespace {

constexpr std::int64_t kSmall = 16;  // variables are no more

std::string text_of(const expr::Expr& e) {
  const ExpressionNames names = {[](const std::string& v) { return name(v); },
                                 [](std::int64_t v) { return number(v); },
                                 [](const std::string&) { return kSmall; }};
  return print(c_of(e, names));
}
std::string text_of(std::string_view e) { return text_of(*expr::parse(e)); }

TEST(CExpressions, UseTheOperatorsOfCWhereTheyMeanTheSame) {
  EXPECT_EQ(text_of("(rank + 1) % ranks"), "(rank + 1) % ranks");
  EXPECT_EQ(text_of("x + nx * (y / 2)"), "x + nx * (y / 2)");
  EXPECT_EQ(text_of("(rank - 1) % ranks"), "(rank + ranks - 1) % ranks");
  EXPECT_EQ(text_of("(x - n) % 16"), "(x - n + 16) % 16");
  EXPECT_EQ(text_of("(3 - x) % 20"), "(23 - x) % 20");
  EXPECT_EQ(text_of("(x + n - 3) % 5"), "(x + n + 2) % 5");
  EXPECT_EQ(text_of("(x - n) % 4"), "reprise_modulo(x - n, 4)");
  EXPECT_EQ(text_of("(rank - n) % ranks"), "reprise_modulo(rank - n, ranks)");
  EXPECT_EQ(text_of("(n - 5) / 2"), "reprise_divide(n - 5, 2)");
  EXPECT_EQ(text_of("-(-5)"), "-(-5)");
}

TEST(CExpressions, HaveParenthesesThatCompilersAskFor) {
  EXPECT_EQ(text_of("rank ^ 1 << 3"), "rank ^ (1 << 3)");
  EXPECT_EQ(text_of("x == 0 && y > 0 || x == nx - 1"), "(x == 0 && y > 0) || x == nx - 1");
}

bool has_sum(const expr::Expr& e) {
  return e.op() == expr::Op::sum || std::ranges::any_of(e.operands(), has_sum);
}

TEST(CExpressions, RefuseSums) {
  const expr::Expr k = expr::Expr::variable("k");
  EXPECT_THROW(text_of(expr::Expr::sum(k, expr::Expr(8), k)), Unwritable);
}

// Random expressions of variables that are not below 0, compiled by a C compiler, print what they
// evaluate to.
TEST(CExpressions, ComputeInCWhatTheyEvaluateTo) {
  if (std::system("cc --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "there is no C compiler";
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / "reprise_c_expressions";
  std::filesystem::create_directories(folder);
  const std::string source = folder / "expressions.c";
  std::ofstream out(source);
  const std::string all = runtime();
  const std::size_t begin = all.find("/* Operators that"), end = all.find("/* What a benchmark");
  ASSERT_LT(begin, end);
  out << "#include <stdio.h>\n" << all.substr(begin, end - begin) << "int main(void) {\n";
  std::string expected;
  const rc::Gen<expr::Expr> gen = expr::random_expr();
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const expr::Expr e = gen(rc::Random(seed), 20).value();
    const std::array<std::int64_t, 4> slots = {static_cast<std::int64_t>(seed % 9), 9, 7,
                                               static_cast<std::int64_t>(seed % 4)};
    const auto v = expr::Program::compile(e, expr::kTestNames)->run(slots);
    if (!v || e.nodes() == 1 || has_sum(e)) continue;
    expected += std::to_string(*v) + "\n";
    out << "{";
    for (std::size_t i = 0; i < slots.size(); ++i) {
      out << "const int " << expr::kTestNames[i] << " = " << slots[i] << "; (void)"
          << expr::kTestNames[i] << ";";
    }
    out << "printf(\"%lld\\n\", (long long)(" << text_of(e) << ")); }\n";
  }
  out << "return 0; }\n";
  out.close();
  const std::string program = folder / "expressions";
  const std::string command =
      "cc -std=c99 -w -fwrapv -o " + program + " " + source + " && " + program;
  FILE* pipe = popen(command.c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::string printed;
  for (int c = fgetc(pipe); c != EOF; c = fgetc(pipe)) printed += static_cast<char>(c);
  EXPECT_EQ(pclose(pipe), 0);
  EXPECT_EQ(printed, expected);
  EXPECT_GT(expected.size(), 1000u);
}

}  // namespace
}  // namespace reprise::write::c
