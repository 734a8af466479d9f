#include "generate/c_outline.hpp"

#include <gtest/gtest.h>

namespace reprise::generate {
namespace {

Outlining how() {
  return {[](const std::string& text) {
            return text.starts_with("comm") ? std::string("MPI_Comm") : std::string("long long");
          },
          [](const std::string& name) { return name; },
          [](const Line& l) { return l.statements.size(); }};
}

// Two statements each, of which the first is a line of its own.
std::vector<Line> swaps(const std::vector<std::string>& times) {
  std::vector<Line> out;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const std::string n = std::to_string(i);
    for (const int k : {0, 1, 2}) {
      out.push_back({1,
                     {"at(" + std::to_string(10 * k + static_cast<int>(i)) + ", " + times[i] + ");",
                      "MPI_Send(OUT(" + n + ", MPI_INT), i0, 5, comm_" + n + ");"},
                     "/* swap a.c:" + std::to_string(k) + " */"});
    }
    out.push_back({1, {"next" + n + "();"}, {}});
  }
  return out;
}

TEST(Outline, PassesWhatDiffersAndWhatIsLocal) {
  std::vector<Line> lines = swaps({"7", "8", "9"});
  const auto functions = outline(lines, how());
  ASSERT_EQ(functions.size(), 1U);
  EXPECT_EQ(
      functions[0].head,
      "static void do_swap(int site, const double *ns, long long n, long long n2, MPI_Comm c) {");
  ASSERT_EQ(functions[0].body.size(), 3U);
  EXPECT_EQ(functions[0].body[1].statements[0], "at(site + 10, ns[1]);");
  EXPECT_EQ(functions[0].body[1].statements[1], "MPI_Send(OUT(n, MPI_INT), n2, 5, c);");
  ASSERT_EQ(lines.size(), 6U);
  EXPECT_EQ(lines[2].statements[0], "do_swap(1, (double[]){8, 8, 8}, 1, i0, comm_1);");
}

TEST(Outline, AsksThePastOnlyFirst) {
  std::vector<Line> lines = swaps({"from(3) ? 7 : 8", "8", "9", "9"});
  const std::size_t before = lines.size();
  outline(lines, how());
  // The first swap has times that only the calls themselves can ask for.
  EXPECT_EQ(lines[0].statements.size(), 2U);
  EXPECT_LT(lines.size(), before);
}

TEST(Outline, LeavesWhatStandsOnce) {
  std::vector<Line> lines = swaps({"7"});
  EXPECT_TRUE(outline(lines, how()).empty());
  EXPECT_EQ(lines.size(), 4U);
}

}  // namespace
}  // namespace reprise::generate
