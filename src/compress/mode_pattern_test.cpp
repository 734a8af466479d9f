#include "compress/mode_pattern.hpp"

#include <gtest/gtest.h>

#include "base/hash.hpp"
#include "trace/series_folder.hpp"

namespace reprise::compress {
namespace {

// The series of modes on so many streams, each of them a class.
template <class Mode>
trace::Value modes_of(std::uint64_t streams, Mode&& mode, std::uint64_t executions) {
  trace::Value out;
  trace::SeriesFolder by_stream;
  for (std::uint64_t s = 0; s < streams; ++s) {
    trace::SeriesFolder of_stream;
    for (std::uint64_t i = 0; i < executions; ++i) of_stream.append(mode(s, i));
    out.classes.push_back(of_stream.finish());
    by_stream.append(static_cast<std::int64_t>(s));
  }
  out.by_stream = by_stream.finish();
  return out;
}

bool are_few(const trace::Value& mode_of, std::uint64_t executions) {
  RunsTest test;
  test.add(mode_of, executions);
  return test.are_few();
}

TEST(RunsTest, FindsModesThatLast) {
  for (const std::uint64_t n : {20, 64, 400}) {
    const auto moving = [](std::uint64_t s, std::uint64_t i) { return i / 4 % 8 == s ? 1 : 0; };
    EXPECT_TRUE(are_few(modes_of(8, moving, n), n)) << n;
    const auto levels = [](std::uint64_t, std::uint64_t i) { return i / 7 % 5; };
    EXPECT_TRUE(are_few(modes_of(4, levels, n), n)) << n;
  }
}

TEST(RunsTest, FindsNoneInNoise) {
  std::size_t found = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    for (const std::uint64_t one_of : {2, 10, 50}) {
      const auto mode = [&](std::uint64_t s, std::uint64_t i) {
        const std::uint64_t random = mix(combine(seed, combine(s, i)));
        return random % one_of == 0 ? 1 + random / one_of % 2 : 0;
      };
      found += are_few(modes_of(16, mode, 100), 100);
    }
  }
  EXPECT_LE(found, 1u);
  const auto none = [](std::uint64_t, std::uint64_t) { return 0; };
  EXPECT_FALSE(are_few(modes_of(16, none, 100), 100));
}

TEST(RunsTest, CountsPassesOfBodies) {
  RunsTest test;
  const auto mode = [](std::uint64_t, std::uint64_t i) { return i % 3 == 0 ? 1 : 0; };
  test.add(modes_of(1, mode, 300), 300);
  EXPECT_NEAR(test.runs(), 200, 1);
  EXPECT_FALSE(test.are_few());
}

TEST(IsPattern, FindsModesInTurnsAndOnSeveralStreams) {
  const auto in_turns = [](std::uint64_t, std::uint64_t i) { return i % 10 == 4; };
  EXPECT_TRUE(is_pattern(1, modes_of(1, in_turns, 100), 100));
  const auto noise = [](std::uint64_t s, std::uint64_t i) { return mix(combine(s, i)) % 20 == 0; };
  const trace::Value apart = modes_of(4, noise, 100);
  EXPECT_FALSE(is_pattern(4, apart, 100));
  EXPECT_TRUE(is_pattern(8, apart, 100));
}

}  // namespace
}  // namespace reprise::compress
