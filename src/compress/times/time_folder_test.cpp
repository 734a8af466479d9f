#include "compress/times/time_folder.hpp"

#include <gtest/gtest.h>

#include "compress/times/concordance.hpp"

namespace reprise::compress {
namespace {

// One site in a loop, which computes for these durations [ns], measured by a clock of so many ticks
// per nanosecond.
FoldedPath folded(const std::vector<std::int64_t>& durations, std::int64_t ticks_per_ns) {
  TimeFolder folder({}, static_cast<double>(ticks_per_ns));
  for (const std::int64_t d : durations) folder.add(0, 0, {d * ticks_per_ns, ticks_per_ns});
  return folder.finish(1 / static_cast<double>(ticks_per_ns)).at(0).paths.at(0);
}

// A long one now and then.
std::vector<std::int64_t> bursts() {
  std::vector<std::int64_t> out;
  for (std::int64_t i = 0; i < 300; ++i) out.push_back(i % 7 == 0 ? 900'000 : 100'000 + 100 * i);
  return out;
}

TEST(TimeFolder, KeepsNanosecondsWhateverTheClock) {
  const FoldedPath a = folded(bursts(), 1), b = folded(bursts(), 3);
  EXPECT_EQ(a.compute.times.total().sum, b.compute.times.total().sum);
  ASSERT_EQ(a.modes.size(), 2u);
  ASSERT_EQ(b.modes.size(), 2u);
  EXPECT_EQ(a.mode_of, b.mode_of);
}

TEST(TimeFolder, StreamsConcurWhateverTheirClocks) {
  const FoldedPath a = folded(bursts(), 1), b = folded(bursts(), 3);
  const auto concordance = [](const FoldedMode& m) {
    return Concordance(m.sample, m.times.total().mean());
  };
  Concordance whole = concordance(a.compute), mode = concordance(a.modes[1]);
  whole.merge(concordance(b.compute));
  mode.merge(concordance(b.modes[1]));
  EXPECT_NEAR(whole.share(), 1, 1e-6);
  EXPECT_NEAR(mode.share(), 1, 1e-6);
}

}  // namespace
}  // namespace reprise::compress
