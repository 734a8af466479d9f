#include "compress/times/block_folder.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "base/hash.hpp"

namespace reprise::compress {
namespace {

using trace::real;

// In [-1, 1].
double noise(std::uint64_t seed, std::uint64_t i) {
  return real(mix(combine(seed, i)) % 2001) / 1000 - 1;
}

TimeBlocks blocks_of(std::uint64_t n, const std::function<double(std::uint64_t)>& value) {
  BlockFolder out;
  for (std::uint64_t i = 0; i < n; ++i) out.add(std::llround(value(i)));
  return out.finish();
}

TEST(BlockFolder, KeepsMeansInOrder) {
  for (const std::uint64_t n : {32, 33, 100, 1000, 4097}) {
    const TimeBlocks blocks = blocks_of(n, [](std::uint64_t i) { return 1000 + 10 * real(i); });
    std::uint64_t at = 0;
    for (const trace::Bin& b : blocks.bins) {
      const std::uint64_t count = std::min(blocks.width, n - at);
      EXPECT_EQ(b.count, count);
      EXPECT_NEAR(b.mean(), 1000 + 10 * (real(at) + real(count - 1) / 2), 1e-6);
      EXPECT_NEAR(b.deviation(), 10 * std::sqrt((real(count) * real(count) - 1) / 12), 1e-3);
      EXPECT_EQ(b.min, std::llround(1000 + 10 * real(at)));
      at += count;
    }
    EXPECT_EQ(at, n);
    EXPECT_LE(blocks.bins.size(), BlockFolder::kMaxBlocks);
    EXPECT_GE(blocks.bins.size(), BlockFolder::kMaxBlocks / 2);
  }
}

TEST(BlockFolder, FindsNoTrendInNoise) {
  std::size_t found = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    for (const std::uint64_t n : {20, 50, 300}) {
      const auto noisy = [&](auto i) { return 1e5 * (1 + 0.2 * noise(seed, i)); };
      found += !blocks_of(n, noisy).bins.empty();
    }
  }
  EXPECT_LE(found, 6u);
  EXPECT_TRUE(blocks_of(100, [](auto) { return 1e5; }).bins.empty());
  EXPECT_TRUE(blocks_of(100, [](auto i) { return 1e5 * (1 + 1e-4 * real(i)); }).bins.empty());
  EXPECT_TRUE(blocks_of(2, [](auto i) { return 1e5 * (1 + real(i)); }).bins.empty());
}

// Once in a while the operating system takes the processor away.
TEST(BlockFolder, FindsNoTrendInOutliers) {
  std::size_t found = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const auto value = [&](auto i) { return mix(combine(seed, i)) % 50 == 0 ? 1e7 : 1e5; };
    found += !blocks_of(400, value).bins.empty();
  }
  EXPECT_LE(found, 10u);
}

TEST(BlockFolder, FindsDriftsAndLoadThatMoves) {
  for (const std::uint64_t n : {20, 50, 300}) {
    const auto part = [n](std::uint64_t i) { return real(i) / real(n); };
    const auto noisy = [](std::uint64_t i) { return 1e5 * (1 + 0.05 * noise(1, i)); };
    const auto drifting = [&](auto i) { return noisy(i) * (1 + 0.5 * part(i)); };
    const auto moving = [&](auto i) {
      return noisy(i) * (part(i) >= 0.4 && part(i) < 0.6 ? 1.5 : 1);
    };
    EXPECT_FALSE(blocks_of(n, drifting).bins.empty());
    EXPECT_FALSE(blocks_of(n, moving).bins.empty());
  }
}

TEST(BlockFolder, AreNotScaledBeyondWhatAHistogramHolds) {
  TimeBlocks blocks{1, {{1, 1, -1, 2, 0}, {1, 3, 0, std::int64_t{1} << 57, 0}}};
  blocks.scale(1e30);
  constexpr auto kMost = static_cast<std::int64_t>(trace::Histogram::kMostTime / 2);
  EXPECT_EQ(blocks.total().sum, kMost);
  EXPECT_EQ(blocks.bins[1].sum, 3 * blocks.bins[0].sum);
  EXPECT_EQ(blocks.bins[1].max, kMost);
}

TEST(BlockFolder, AreTheSameOnceWrittenAndRead) {
  const TimeBlocks blocks = blocks_of(1000, [](std::uint64_t i) { return 1000 + 10 * real(i); });
  ByteWriter out;
  blocks.encode(out);
  TimeBlocks{}.encode(out);
  ByteReader in(out.bytes().data(), out.size());
  const TimeBlocks read = TimeBlocks::decode(in);
  EXPECT_EQ(read.width, blocks.width);
  EXPECT_EQ(read.bins, blocks.bins);
  EXPECT_TRUE(TimeBlocks::decode(in).bins.empty());
  EXPECT_TRUE(in.at_end() && !in.failed());
}

}  // namespace
}  // namespace reprise::compress
