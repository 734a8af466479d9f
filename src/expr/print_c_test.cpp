#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "expr/parse.hpp"
#include "expr/print.hpp"
#include "expr/program.hpp"
#include "expr/random_expr.hpp"

namespace reprise::expr {
namespace {

std::string c_text(std::string_view text) { return print_c(*parse(text)); }

TEST(PrintC, UsesTheOperatorsOfCWhereTheyMeanTheSame) {
  EXPECT_EQ(c_text("(rank + 1) % ranks"), "(rank + 1) % ranks");
  EXPECT_EQ(c_text("x0 + d0 * (x1 / 2)"), "x0 + d0 * (x1 / 2)");
  EXPECT_EQ(c_text("(rank - 1) % ranks"), "reprise_modulo(rank - 1, ranks)");
  EXPECT_EQ(c_text("(rank - 1) % ranks + 1"), "reprise_modulo(rank - 1, ranks) + 1");
  EXPECT_EQ(c_text("n / ranks"), "reprise_divide(n, ranks)");
  EXPECT_EQ(c_text("-(-5)"), "-(-5)");
}

TEST(PrintC, AddsParenthesesThatCompilersAskFor) {
  EXPECT_EQ(c_text("rank ^ 1 << i0"), "rank ^ (1 << i0)");
  EXPECT_EQ(c_text("x0 == 0 && x1 > 0 || x0 == d0 - 1"),
            "((x0 == 0) && (x1 > 0)) || (x0 == (d0 - 1))");
}

// Random expressions, compiled by a C compiler, print what they evaluate to.
TEST(PrintC, ComputesInCWhatItEvaluatesTo) {
  if (std::system("cc --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "there is no C compiler";
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / "reprise_print_c";
  std::filesystem::create_directories(folder);
  const std::string source = folder / "expressions.c";
  std::ofstream out(source);
  out << "#include <stdio.h>\n" << c_helpers() << "int main(void) {\n";
  std::string expected;
  const rc::Gen<Expr> gen = random_expr();
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Expr e = gen(rc::Random(seed), 20).value();
    const std::array<std::int64_t, 4> slots = {static_cast<std::int64_t>(seed % 9), 9, -7,
                                               static_cast<std::int64_t>(seed % 4)};
    const auto v = Program::compile(e, kTestNames)->run(slots);
    if (!v || e.nodes() == 1) continue;
    expected += std::to_string(*v) + "\n";
    out << "{";
    for (std::size_t i = 0; i < slots.size(); ++i) {
      out << "const long long " << kTestNames[i] << " = " << slots[i] << "; (void)" << kTestNames[i]
          << ";";
    }
    out << "printf(\"%lld\\n\", (long long)(" << print_c(e) << ")); }\n";
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
}  // namespace reprise::expr
