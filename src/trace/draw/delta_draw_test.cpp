#include "trace/draw/delta_draw.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace reprise::trace {
namespace {

// Two streams, the second half as fast again; one execution in ten is long.
DeltaTimes bimodal(std::uint64_t executions, double concordance) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> noise(1.0, 0.02);
  DeltaTimes times;
  Histogram h(5);
  for (std::uint64_t i = 0; i < executions; ++i) {
    h.add(static_cast<std::int64_t>((i % 10 == 3 ? 9e6 : 1e6) * noise(random)));
  }
  const std::int64_t sum = h.total().sum;
  times.classes = {h};
  times.counts = Series::constant(static_cast<std::int64_t>(executions));
  times.sums = Series({Term{.value = sum, .step = sum / 2, .count = 2}});
  times.concordance = concordance;
  return times;
}

// All executions of the stream.
std::vector<double> draw(const DeltaTimes& times, std::uint64_t stream) {
  DeltaDraw d(times, stream, {42, 7});
  std::vector<double> out;
  for (std::int64_t i = 0; i < times.counts.at(stream); ++i) out.push_back(d.next());
  return out;
}

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

RC_GTEST_PROP(DeltaDraw, KeepsTheSumOfTheStream, ()) {
  const auto n = *rc::gen::inRange<std::uint64_t>(1, 3000);
  const DeltaTimes times = bimodal(n, 0);
  for (const std::uint64_t stream : {0, 1}) {
    const std::vector<double> values = draw(times, stream);
    RC_ASSERT(std::abs(sum(values) / times.sum_of(stream) - 1) < 1e-9);
    for (const double v : values) RC_ASSERT(v >= 0);
  }
}

TEST(DeltaDraw, KeepsTheModes) {
  const DeltaTimes times = bimodal(2000, 0);
  const std::vector<double> values = draw(times, 0);
  const auto is_long = [](double v) { return v > 4e6; };
  EXPECT_NEAR(static_cast<double>(std::ranges::count_if(values, is_long)), 200, 20);
}

TEST(DeltaDraw, LongExecutionsCoincideWhereTheyDid) {
  for (const double concordance : {0.0, 1.0}) {
    const DeltaTimes times = bimodal(2000, concordance);
    const std::vector<double> a = draw(times, 0), b = draw(times, 1);
    int both = 0, one = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      one += a[i] > 4e6;
      both += a[i] > 4e6 && b[i] > 6e6;
    }
    if (concordance > 0) {
      EXPECT_EQ(both, one);
    } else {
      EXPECT_LT(both, one / 2);
    }
  }
}

// A long execution in a hundred, none of which any stream has a right to by itself.
TEST(DeltaDraw, StreamsTogetherDrawWhatIsRare) {
  constexpr std::uint64_t kStreams = 50, kExecutions = 10;
  DeltaTimes times;
  Histogram h(5);
  for (std::uint64_t i = 0; i < kStreams * kExecutions; ++i) h.add(i % 100 == 50 ? 10000 : 1000);
  times.classes = {h};
  times.counts = Series::constant(kExecutions);
  times.sums = Series::constant(h.total().sum / static_cast<std::int64_t>(kStreams));
  std::ptrdiff_t rare = 0;
  for (std::uint64_t stream = 0; stream < kStreams; ++stream) {
    rare += std::ranges::count_if(draw(times, stream), [](double v) { return v > 4000; });
  }
  EXPECT_GE(rare, 4);
  EXPECT_LE(rare, 6);
}

TEST(DeltaDraw, ASeedRepeatsItself) {
  const DeltaTimes times = bimodal(100, 0);
  EXPECT_EQ(draw(times, 1), draw(times, 1));
  EXPECT_NE(draw(times, 0), draw(times, 1));
}

TEST(DeltaDraw, WithoutABinToChooseItIsTheMean) {
  DeltaTimes times = bimodal(10, 0);
  times.classes.front() = Histogram(1);
  for (const std::int64_t v : {10, 20, 60}) times.classes.front().add(v);
  times.counts = Series::constant(3);
  times.sums = Series::constant(90);
  EXPECT_EQ(draw(times, 0), (std::vector<double>{30, 30, 30}));
}

TEST(DeltaDraw, ABinKeepsItsDeviation) {
  DeltaTimes times = bimodal(2000, 0);
  std::mt19937_64 random(3);
  std::normal_distribution<double> noise(1e6, 5e4);
  Histogram& h = times.classes.front() = Histogram(5);
  for (int i = 0; i < 2000; ++i) h.add(static_cast<std::int64_t>(noise(random)));
  times.sums = Series::constant(h.total().sum);
  const std::vector<double> values = draw(times, 0);
  double squares = 0;
  for (const double v : values) squares += (v - 1e6) * (v - 1e6);
  EXPECT_NEAR(std::sqrt(squares / 2000), 5e4, 5e3);
}

// Two groups in turns, the second three times as long.
TEST(PathDraw, FollowsTheModes) {
  Path path;
  path.mode_of = {
      .by_stream = {},
      .classes = {Series({Term{
          .count = kUnbounded, .period = 2, .body = {Term{.value = 0, .step = 1, .count = 2}}}})}};
  Histogram all(5);
  for (const std::int64_t scale : {1, 3}) {
    DeltaTimes& mode = path.modes.emplace_back();
    Histogram h(5);
    for (int i = 0; i < 100; ++i) h.add(scale * (1000 + i));
    all.merge(h);
    mode.classes = {h};
    mode.counts = Series::constant(100);
  }
  path.compute.classes = {all};
  path.compute.counts = Series::constant(200);
  path.compute.sums = Series::constant(2 * all.total().sum);  // a rank that is twice as slow
  PathDraw draw(path, 0, {42, 7});
  double sum = 0;
  for (int i = 0; i < 200; ++i) {
    const double v = draw.next();
    sum += v;
    EXPECT_EQ(v > 4000, i % 2 == 1) << v;
  }
  EXPECT_NEAR(sum, 2.0 * static_cast<double>(all.total().sum), 1);
}

}  // namespace
}  // namespace reprise::trace
