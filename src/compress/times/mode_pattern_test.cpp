#include "compress/times/mode_pattern.hpp"

#include <gtest/gtest.h>

#include "base/hash.hpp"
#include "trace/series/series_folder.hpp"

namespace reprise::compress {
namespace {

struct Size {
  std::uint64_t streams, executions;
};

// The series of modes on so many streams, each of them a class.
template <class Mode>
trace::Value modes_of(const Size& size, Mode&& mode) {
  trace::Value out;
  trace::SeriesFolder by_stream;
  for (std::uint64_t s = 0; s < size.streams; ++s) {
    trace::SeriesFolder of_stream;
    for (std::uint64_t i = 0; i < size.executions; ++i) of_stream.append(mode(s, i));
    out.classes.push_back(of_stream.finish());
    by_stream.append(static_cast<std::int64_t>(s));
  }
  out.by_stream = by_stream.finish();
  return out;
}

template <class Mode>
bool are_few(const Size& size, Mode&& mode) {
  const trace::Value modes = modes_of(size, mode);
  RunsTest test;
  test.add({modes, size.executions});
  return test.are_few();
}

TEST(RunsTest, FindsModesThatLast) {
  for (const std::uint64_t n : {20, 64, 400}) {
    const auto moving = [](std::uint64_t s, std::uint64_t i) { return i / 4 % 8 == s ? 1 : 0; };
    EXPECT_TRUE(are_few({8, n}, moving)) << n;
    const auto levels = [](std::uint64_t, std::uint64_t i) { return i / 7 % 5; };
    EXPECT_TRUE(are_few({4, n}, levels)) << n;
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
      found += are_few({16, 100}, mode);
    }
  }
  EXPECT_LE(found, 1u);
  const auto none = [](std::uint64_t, std::uint64_t) { return 0; };
  EXPECT_FALSE(are_few({16, 100}, none));
}

TEST(RunsTest, CountsPassesOfBodies) {
  RunsTest test;
  const auto mode = [](std::uint64_t, std::uint64_t i) { return i % 3 == 0 ? 1 : 0; };
  const trace::Value modes = modes_of({1, 300}, mode);
  test.add({modes, 300});
  EXPECT_NEAR(test.runs(), 200, 1);
  EXPECT_FALSE(test.are_few());
}

TEST(IsPattern, FindsModesInTurnsAndOnSeveralStreams) {
  const auto in_turns = [](std::uint64_t, std::uint64_t i) { return i % 10 == 4; };
  const trace::Value turns = modes_of({1, 100}, in_turns);
  EXPECT_TRUE(is_pattern({turns, 100}, 1));
  const auto noise = [](std::uint64_t s, std::uint64_t i) { return mix(combine(s, i)) % 20 == 0; };
  const trace::Value apart = modes_of({4, 100}, noise);
  EXPECT_FALSE(is_pattern({apart, 100}, 4));
  EXPECT_TRUE(is_pattern({apart, 100}, 8));
}

}  // namespace
}  // namespace reprise::compress
