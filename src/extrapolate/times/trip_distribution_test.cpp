#include "extrapolate/times/trip_distribution.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "compress/random_program.hpp"
#include "extrapolate/test_traces.hpp"
#include "extrapolate/times/arrivals.hpp"

namespace reprise::extrapolate {
namespace {

using test::Stream;

// Each of thirty steps iterates until something converges: ten times and up to nine more, each
// equally often in an order by chance, and once more for each doubling of the ranks.
std::int64_t iterations(std::int64_t ranks, std::int64_t step, std::int64_t rank, bool alike) {
  std::int64_t doublings = 0;
  while (std::int64_t{1} << doublings < ranks) ++doublings;
  const auto chance = [&](std::int64_t s) {
    return mix(combine(static_cast<std::uint64_t>(alike ? ranks : 100 * ranks + rank), s));
  };
  std::int64_t more = 0;  // the place of this step's chance among those of ten
  for (std::int64_t s = step / 10 * 10; s < step / 10 * 10 + 10; ++s) {
    more += chance(s) < chance(step) ? 1 : 0;
  }
  return 10 + more + doublings;
}

trace::Trace run(std::int64_t ranks, bool alike) {
  std::vector<Stream> streams;
  for (std::int64_t r = 0; r < ranks; ++r) {
    Stream& s = streams.emplace_back();
    for (std::int64_t step = 0; step < 30; ++step) {
      s.push_back({0, 8, (r + 1) % ranks, 0, 0, 0});
      for (std::int64_t i = iterations(ranks, step, r, alike); i > 0; --i) {
        s.push_back({1, 8, (r + 1) % ranks, 0, 1000, 0});
      }
    }
  }
  return test::with_frames(test::trace_of(streams));
}

Result<trace::Trace> extrapolate_to(std::int64_t ranks, Exactness exactness, bool alike = true) {
  std::vector<trace::Trace> traces;
  for (const std::int64_t n : {4, 8, 16, 32}) traces.push_back(run(n, alike));
  Request request{ranks, {}};
  request.exactness = exactness;
  return test::extrapolate_from(traces, request);
}

TEST(TripDistribution, IsRefusedUnlessAskedFor) {
  const auto refused = extrapolate_to(256, Exactness::required);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("--approximate"), std::string::npos);
}

TEST(TripDistribution, IsExtrapolatedAsOne) {
  const auto trace = extrapolate_to(256, Exactness::approximate);
  ASSERT_TRUE(trace) << trace.error().message;
  const auto arrivals = count_arrivals(*trace);
  ASSERT_TRUE(arrivals);
  // All ranks make the same trips, or they would wait for each other.
  ASSERT_EQ(arrivals->counts.size(), 1u);
  std::uint64_t calls = 0;
  for (const auto& [arrival, n] : arrivals->counts[0]) calls += n;
  EXPECT_NEAR(static_cast<double>(calls) / 30, 1 + 10 + 4.5 + 8, 0.1);
}

TEST(TripDistribution, IsNoneWhereRanksDiffer) {
  EXPECT_FALSE(extrapolate_to(64, Exactness::approximate, false));
}

TEST(TripDistribution, DrawsItsQuantilesWithoutReplacement) {
  Law law;
  law.form = Law::Form::distribution;
  law.quantiles.push_back({{{}}, {5}});
  for (int q = 0; q <= 20; ++q) law.quantiles.push_back({{{}}, {q / 2.0}});  // 0 to 10
  const std::vector<double> point = {64};
  const trace::Series drawn = draw_trips(law, point, 100, 1);
  std::vector<std::int64_t> trips;
  for (std::uint64_t i = 0; i < 100; ++i) trips.push_back(drawn.at(i));
  std::int64_t sum = 0;
  for (const std::int64_t t : trips) sum += t;
  EXPECT_NEAR(static_cast<double>(sum), 500, 1);
  EXPECT_FALSE(std::ranges::is_sorted(trips));
  EXPECT_EQ(std::ranges::min(trips), 0);
  EXPECT_EQ(std::ranges::max(trips), 10);
  const trace::Series one = draw_trips(law, point, 1, 1);
  EXPECT_EQ(one.at(0), 5);
}

}  // namespace
}  // namespace reprise::extrapolate
