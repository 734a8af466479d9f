#include "program/laws/numbers.hpp"

#include <gtest/gtest.h>

#include "expr/print.hpp"
#include "trace/values/special.hpp"

namespace reprise::program {
namespace {

std::string text_of(const Content& c) {
  if (const auto* e = std::get_if<expr::Expr>(&c)) return expr::print(*e);
  if (std::holds_alternative<ByStream>(c)) return "a table";
  const auto& n = std::get<Neighbor>(c);
  std::string out = "step";
  for (const std::int64_t s : n.steps) out += " " + std::to_string(s);
  return out;
}

std::string explain(const Space& space, const std::vector<std::int64_t>& values,
                    bool is_peer = false) {
  std::vector<Sample> samples;
  Streams all;
  for (std::size_t s = 0; s < values.size(); ++s) {
    all.push_back(s);
    if (values[s] != trace::kNone) samples.push_back({s, values[s]});
  }
  Conditions conditions(space);
  Streams inside;
  for (const Sample& s : samples) inside.push_back(s.stream);
  const NumberOptions options{.is_peer = is_peer, .is_world = is_peer, .places = nullptr};
  std::string out;
  for (const Case& c : explain_numbers(conditions, samples, inside, options).cases) {
    out += out.empty() ? "" : ", ";
    out += text_of(c.content);
    if (c.who.is_everyone()) continue;
    out += " if " + (c.who.condition ? expr::print(*c.who.condition) : "in a set");
  }
  return out;
}

constexpr std::int64_t kNobody = trace::kNone;

TEST(Numbers, FindsTheRank) {
  EXPECT_EQ(explain(Space({8}), {0, 1, 2, 3, 4, 5, 6, 7}), "rank");
  EXPECT_EQ(explain(Space({8}), {3, 5, 7, 9, 11, 13, 15, 17}), "rank * 2 + 3");
  EXPECT_EQ(explain(Space({8}), {0, 0, 1, 1, 2, 2, 3, 3}), "rank / 2");
}

TEST(Numbers, FindsPeers) {
  EXPECT_EQ(explain(Space({8}), {1, 2, 3, 4, 5, 6, 7, 0}, true), "(rank + 1) % ranks");
  EXPECT_EQ(explain(Space({8}), {1, 2, 3, 4, 5, 6, 7, kNobody}, true), "rank + 1");
  EXPECT_EQ(explain(Space({6}), {1, 2, 3, 4, 5, trace::kProcNull}, true),
            std::to_string(trace::kProcNull) + " if rank == 5, rank + 1");
  EXPECT_EQ(explain(Space({9}, {3, 3}), {kNobody, 0, 1, kNobody, 3, 4, kNobody, 6, 7}, true),
            "step -1 0");
  // The transpose of a square grid.
  EXPECT_EQ(explain(Space({9}, {3, 3}), {0, 3, 6, 1, 4, 7, 2, 5, 8}, true), "x * 3 + y");
}

TEST(Numbers, TellsCasesApart) {
  EXPECT_EQ(explain(Space({4}), {kNobody, 0, 0, 2}), "2 if rank == 3, 0");
  EXPECT_EQ(explain(Space({8}), {8, 8, 8, 8, 9, 9, 9, 9}), "9 if rank > 3, 8");
}

TEST(Numbers, FindsNoLawInNoise) {
  const std::vector<std::int64_t> noise = {811, 204, 977, 53,  640, 388,
                                           129, 715, 42,  566, 903, 271};
  EXPECT_EQ(explain(Space({12}), noise), "a table");
  const std::vector<std::int64_t> small = {3, 1, 2, 3, 3, 0, 1, 2, 0, 3, 1, 1};
  EXPECT_EQ(explain(Space({12}), small).find("%"), std::string::npos)
      << explain(Space({12}), small);
}

}  // namespace
}  // namespace reprise::program
