// Laws that are shorter than what they explain, and others.
#include "extrapolate/evidence.hpp"

#include <gtest/gtest.h>

#include "expr/parse.hpp"

namespace reprise::extrapolate {
namespace {

// One value for each number of ranks.
infer::Samples of_ranks(const std::vector<std::pair<std::int64_t, std::int64_t>>& values) {
  infer::Samples out;
  for (const auto& [ranks, value] : values) out.worlds.push_back({{ranks, {}}, {{0, value, {}}}});
  return out;
}

bool is_evidence_of(const infer::Samples& samples, const char* law) {
  const auto parsed = expr::parse(law);
  EXPECT_TRUE(parsed);
  return is_evidence(samples, *parsed);
}

TEST(Evidence, ShortLawsOfFewRuns) {
  EXPECT_TRUE(is_evidence_of(of_ranks({{4, 250}, {5, 200}, {8, 125}}), "1000 / ranks"));
  EXPECT_TRUE(is_evidence_of(of_ranks({{4, 3}, {6, 5}, {8, 7}}), "ranks - 1"));
  EXPECT_TRUE(is_evidence_of(of_ranks({{4, 2}, {6, 3}}), "ranks / 2"));
}

// 3 + ranks * ranks % 7, and what was found for it.
TEST(Evidence, ALawAsLongAsItsSamples) {
  const auto samples = of_ranks({{4, 5}, {6, 4}, {8, 4}, {9, 7}});
  EXPECT_FALSE(is_evidence_of(samples, "2 * d0 + ranks / (d1 * d1)"));
  EXPECT_FALSE(is_evidence_of(samples, "(1 << d0) + 1 - d0 * d0 / d1"));
}

// 8, 12, 16 is also what the logarithm of so many ranks has, rounded up.
TEST(Evidence, LawsOfRunsAreClearlyShorter) {
  const auto samples = of_ranks({{4, 8}, {6, 12}, {9, 16}});
  EXPECT_TRUE(is_clear_of_runs(samples, *expr::parse("ranks - 1")));
  EXPECT_FALSE(is_clear_of_runs(samples, *expr::parse("4 * (ranks / 2)")));
}

// Ten equal samples, and one of two: log2(11) for the one, log2(11 / 10) for each of the ten.
TEST(Evidence, CountsWhatIsRareForMore) {
  infer::Samples samples = of_ranks({{11, 0}});
  for (std::int64_t r = 1; r < 10; ++r) samples.worlds[0].samples.push_back({r, 0, {}});
  samples.worlds[0].samples.push_back({10, 1, {}});
  const double values = 2 + 4;  // 0 and 1, written down once
  EXPECT_NEAR(bits_of_values(samples), values + 3.459 + 10 * 0.1375, 0.01);
}

}  // namespace
}  // namespace reprise::extrapolate
