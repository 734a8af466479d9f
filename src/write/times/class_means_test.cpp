#include "write/times/class_means.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "compress/random_program.hpp"

namespace reprise::write::times {
namespace {

// Ranks that call site 0 twenty times, and every second time site 1 in between: site 0 has three
// paths, its beginning and from either site.
trace::Trace loop_of(std::uint64_t ranks,
                     const std::function<std::int64_t(std::uint64_t rank, bool is_behind)>& ns) {
  std::vector<test::Stream> streams(ranks);
  for (std::uint64_t r = 0; r < ranks; ++r) {
    for (int step = 0; step < 20; ++step) {
      const bool is_behind = step > 0 && step % 2 == 0;
      if (is_behind) streams[r].push_back({1, 8, 0, 0, 100, 100});
      streams[r].push_back({0, 8, 0, 0, ns(r, is_behind), 100});
    }
  }
  return test::trace_of(streams);
}

TEST(ClassMeans, UnitesPathsAndRanksThatResembleEachOther) {
  const trace::Trace trace = loop_of(8, [](std::uint64_t r, bool is_behind) {
    return (is_behind ? 200'000 : 100'000) * (r < 6 ? 1 : 3) + static_cast<std::int64_t>(r);
  });
  const std::vector<double> means = class_means(trace, 0, Detail::ranks);
  ASSERT_EQ(means.size(), 8u);
  for (std::size_t r = 0; r < 6; ++r) EXPECT_NEAR(means[r], (9 * 200'000 + 11 * 100'000) / 20., 5);
  for (std::size_t r = 6; r < 8; ++r)
    EXPECT_NEAR(means[r], 3 * (9 * 200'000 + 11 * 100'000) / 20., 10);
  EXPECT_EQ(means[0], means[5]);
  EXPECT_EQ(means[6], means[7]);
}

TEST(ClassMeans, KeepsTheSumOfAllInOneMean) {
  const trace::Trace trace = loop_of(
      4, [](std::uint64_t r, bool) { return 100'000 * (1 + static_cast<std::int64_t>(r)); });
  for (const double mean : class_means(trace, 0, Detail::mean)) EXPECT_NEAR(mean, 250'000, 1);
}

// More classes than a trace keeps apart on a path.
TEST(ClassMeans, HasFewClasses) {
  const trace::Trace trace = loop_of(16, [](std::uint64_t r, bool is_behind) {
    return std::int64_t{10'000} << (is_behind ? r / 4 : r % 4);
  });
  const std::vector<double> means = class_means(trace, 0, Detail::ranks);
  EXPECT_LE(std::set<double>(means.begin(), means.end()).size(), 4u);
}

// Ranks that are in different classes on each path and have nearly the same mean: the order in
// which they are united does not follow from where a trace lies in memory.
TEST(ClassMeans, AreTheSameForEveryCopyOfATrace) {
  const trace::Trace trace = loop_of(16, [](std::uint64_t r, bool is_behind) {
    const auto more = static_cast<std::int64_t>(9000 * (r % 4));
    return 33'333 + (is_behind ? 11 * more : 9 * (36'000 - more)) + static_cast<std::int64_t>(r);
  });
  const std::vector<double> means = class_means(trace, 0, Detail::ranks);
  std::vector<trace::Trace> copies(16, trace);
  for (std::size_t i = 0; i < copies.size(); ++i) {
    std::vector<trace::Path>& paths = copies[i].times[0].paths;
    std::swap(paths.front().compute.classes,
              copies[(i + 5) % 16].times[0].paths.front().compute.classes);
  }
  for (const trace::Trace& copy : copies) EXPECT_EQ(class_means(copy, 0, Detail::ranks), means);
}

TEST(ClassMeans, SaysWhoNeverMakesTheCall) {
  std::vector<test::Stream> streams(3);
  for (test::Stream& s : streams) s.push_back({0, 8, 0, 0, 100, 100});
  for (const std::size_t r : {0, 2}) streams[r].push_back({1, 8, 0, 0, 5000, 100});
  const trace::Trace trace = test::trace_of(streams);
  EXPECT_EQ(class_means(trace, 1, Detail::ranks), (std::vector<double>{5000, -1, 5000}));
}

}  // namespace
}  // namespace reprise::write::times
