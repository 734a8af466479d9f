#include "compress/times/mode_joining.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "trace/series/series_folder.hpp"
#include "trace/times/make_histogram.hpp"

namespace reprise::compress {
namespace {

using trace::Bin;
using trace::DeltaTimes;
using trace::Path;
using trace::Series;

constexpr std::uint64_t kStreams = 4;
constexpr double kBytesOfBin = 6;

Bin bin_of(std::uint64_t count, std::int64_t mean) {
  return {count, static_cast<std::int64_t>(count) * mean, mean, mean, 0};
}

// Executions of all streams in one class.
DeltaTimes mode_of(std::uint64_t count, std::int64_t mean) {
  DeltaTimes out;
  out.classes = {trace::make_histogram({bin_of(kStreams * count, mean)})};
  out.counts = Series::constant(static_cast<std::int64_t>(count));
  return out;
}

// The same executions on all streams, block behind block of `width`, with these means.
Path blocks(std::uint64_t width, const std::vector<std::int64_t>& means) {
  Path path;
  trace::SeriesFolder mode;
  Bin all;
  for (std::size_t m = 0; m < means.size(); ++m) {
    path.modes.push_back(mode_of(width, means[m]));
    all.add(bin_of(kStreams * width, means[m]));
    mode.append(static_cast<std::int64_t>(m), width);
  }
  path.compute.classes = {trace::make_histogram({all})};
  path.compute.counts = Series::constant(static_cast<std::int64_t>(width * means.size()));
  path.mode_of = {.by_stream = {}, .classes = {mode.finish()}};
  return path;
}

// What joining moves until there is one mode less than `left`.
double price_of(const Path& path, std::size_t left) {
  return mode_joinings(path, kStreams, kBytesOfBin)[path.modes.size() - left - 1].price();
}

TEST(ModeJoining, JoinsTheMostAlikeFirst) {
  Path path = blocks(8, {100'000, 110'000, 300'000, 330'000});
  join_modes(path, kStreams, kBytesOfBin, price_of(path, 2));
  ASSERT_EQ(path.modes.size(), 2u);
  EXPECT_EQ(path.modes[0].total().mean(), 105'000);
  EXPECT_EQ(path.modes[1].total().mean(), 315'000);
  EXPECT_EQ(path.modes[0].count_of(1), 16u);
  const Series& mode = path.mode_of.classes.at(0);
  for (std::uint64_t k = 0; k < 32; ++k) EXPECT_EQ(mode.at(k), k / 16) << k;
  // All ranks were in the same block, which is all that executions differ by.
  EXPECT_EQ(path.modes[0].concordance, 1);
}

TEST(ModeJoining, KeepsBlocksFoldedThatAreJoinedInPairs) {
  Path path = blocks(4, {10'000, 11'000, 20'000, 21'000, 30'000, 31'000, 40'000, 41'000});
  join_modes(path, kStreams, kBytesOfBin, price_of(path, 4));
  ASSERT_EQ(path.modes.size(), 4u);
  const Series& mode = path.mode_of.classes.at(0);
  for (std::uint64_t k = 0; k < 32; ++k) EXPECT_EQ(mode.at(k), k / 8) << k;
  EXPECT_EQ(mode.terms().size(), 1u);
}

TEST(ModeJoining, LeavesNoSingleMode) {
  Path path = blocks(8, {100'000, 200'000, 300'000});
  join_modes(path, kStreams, kBytesOfBin, std::numeric_limits<double>::infinity());
  EXPECT_TRUE(path.modes.empty());
  EXPECT_TRUE(path.mode_of.classes.empty());
  join_modes(path, kStreams, kBytesOfBin, std::numeric_limits<double>::infinity());
  EXPECT_TRUE(mode_joinings(path, kStreams, kBytesOfBin).empty());
}

TEST(ModeJoining, HasPricesThatRise) {
  const Path path = blocks(8, {100'000, 190'000, 200'000, 500'000, 140'000});
  double before = 0;
  for (const Reduction& r : mode_joinings(path, kStreams, kBytesOfBin)) {
    EXPECT_GE(r.price(), before);
    before = r.price();
  }
}

// What a stream spends in all is kept beside its class, so that nothing moves on those that have
// executions in one of the modes only.
TEST(ModeJoining, CountsStreamsThatComeInBothModes) {
  Path path = blocks(8, {100'000, 300'000});
  const auto counts = [](std::vector<std::int64_t> of_streams) {
    trace::SeriesFolder out;
    for (const std::int64_t n : of_streams) out.append(n);
    return out.finish();
  };
  path.modes[0].counts = counts({16, 16, 0, 0});
  path.modes[1].counts = counts({0, 0, 16, 16});
  EXPECT_EQ(price_of(path, 1), 0);
  path.modes[0].counts = counts({16, 8, 8, 0});
  path.modes[1].counts = counts({0, 8, 8, 16});
  const std::vector<Reduction> joinings = mode_joinings(path, kStreams, kBytesOfBin);
  ASSERT_EQ(joinings.size(), 1u);
  EXPECT_EQ(joinings[0].moved, 2 * 4 * 200'000);
}

TEST(ModeJoining, KeepsClassesOfTheSameStreams) {
  Path path = blocks(8, {100'000, 110'000, 400'000});
  for (DeltaTimes& m : path.modes) {
    const std::int64_t mean = m.total().sum / 32;
    const Bin half = bin_of(16, mean), more = bin_of(16, 2 * mean);
    m.classes = {trace::make_histogram({half}), trace::make_histogram({more})};
    trace::SeriesFolder of;
    for (std::uint64_t s = 0; s < kStreams; ++s) of.append(s < 2 ? 0 : 1);
    m.class_of = of.finish();
  }
  join_modes(path, kStreams, kBytesOfBin, price_of(path, 2));
  ASSERT_EQ(path.modes.size(), 2u);
  ASSERT_EQ(path.modes[0].classes.size(), 2u);
  EXPECT_EQ(path.modes[0].class_for(3)->mean(), 210'000);
  // Others become one.
  path.modes[1].classes.pop_back();
  path.modes[1].class_of = {};
  path.modes.push_back(mode_of(8, 900'000));
  join_modes(path, kStreams, kBytesOfBin, price_of(path, 2));
  ASSERT_EQ(path.modes.size(), 2u);
  EXPECT_EQ(path.modes[0].classes.size(), 1u);
}

}  // namespace
}  // namespace reprise::compress
