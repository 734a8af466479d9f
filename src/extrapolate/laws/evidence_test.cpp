#include "extrapolate/laws/evidence.hpp"

#include <gtest/gtest.h>

namespace reprise::extrapolate {
namespace {

// One value for each number of ranks.
infer::Samples of_ranks(const std::vector<std::pair<std::int64_t, std::int64_t>>& values) {
  infer::Samples out;
  for (const auto& [ranks, value] : values) out.worlds.push_back({{ranks, {}}, {{0, value, {}}}});
  return out;
}

// Ten equal samples, and one of two: log2(11) for the one, log2(11 / 10) for each of the ten.
TEST(Evidence, CountsWhatIsRareForMore) {
  infer::Samples samples = of_ranks({{11, 0}});
  for (std::int64_t r = 1; r < 10; ++r) samples.worlds[0].samples.push_back({r, 0, {}});
  samples.worlds[0].samples.push_back({10, 1, {}});
  const double values = 2 + 4;  // 0 and 1, written down once
  EXPECT_NEAR(bits_of_values(samples), values + 3.459 + 10 * 0.1375, 0.01);
}

// Ten ranks in two stretches of 0 and 1: which of two, and one of eleven places where each begins.
TEST(Evidence, CountsStretchesOnce) {
  infer::Samples samples = of_ranks({{10, 0}});
  for (std::int64_t r = 1; r < 10; ++r) samples.worlds[0].samples.push_back({r, r / 5, {}});
  const double values = 2 + 4;
  EXPECT_NEAR(bits_of_stretches(samples), values + 2 * (1 + 3.459), 0.01);
}

}  // namespace
}  // namespace reprise::extrapolate
