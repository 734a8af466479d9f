#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "base/hash.hpp"
#include "compress/random_program.hpp"
#include "trace/draw/delta_draw.hpp"

namespace reprise::compress {
namespace {

using trace::Path;
using trace::real;
using trace::Trace;
using Load = std::function<double(std::uint64_t rank, std::uint64_t step)>;  // of the mean

constexpr double kMean = 1e6;  // [ns]

// With 5 % of noise.
std::int64_t duration(const Load& load, std::uint64_t rank, std::uint64_t step) {
  const double noise = real(mix(combine(rank, step)) % 2001) / 1000 - 1;
  return std::llround(kMean * load(rank, step) * (1 + 0.08 * noise));
}

// A call that is executed in each step on each rank.
struct Size {
  std::uint64_t ranks, steps;
};
Trace loop_of(const Size& size, const Load& load) {
  std::vector<test::Stream> streams(size.ranks);
  for (std::uint64_t r = 0; r < size.ranks; ++r) {
    for (std::uint64_t s = 0; s < size.steps; ++s)
      streams[r].push_back({0, 8, 0, 0, duration(load, r, s), 100});
  }
  return test::trace_of(streams);
}

// The path round the loop.
const Path& round(const Trace& trace) { return *trace.times[0].path_from(0); }

// What executions of that path take by their modes, beside their load: the mean distance.
double distance(const Trace& trace, const Load& load) {
  const Path& path = round(trace);
  double sum = 0, n = 0;
  for (std::uint64_t r = 0; r < trace.ranks; ++r) {
    trace::ValueCursor mode_of(path.mode_of, r);
    for (std::uint64_t s = 1; s <= path.compute.count_of(r); ++s) {
      const auto mode = static_cast<std::size_t>(mode_of.next());
      const trace::DeltaTimes& times = path.modes.empty() ? path.compute : path.modes[mode];
      sum += std::abs(times.class_for(r)->total().mean() / kMean - load(r, s));
      ++n;
    }
  }
  return sum / n;
}

double drifting(std::uint64_t, std::uint64_t step) { return 1 + real(step) / 100; }

// Each rank in turn is slow for four steps.
Load moving(std::uint64_t ranks) {
  return [ranks](std::uint64_t rank, std::uint64_t step) {
    return step / 4 % ranks == rank ? 2.0 : 1.0;
  };
}

TEST(MergedBlocks, AreKeptWhereLoadDrifts) {
  for (const std::uint64_t steps : {20, 50, 200}) {
    const Trace trace = loop_of({16, steps}, drifting);
    EXPECT_GE(round(trace).modes.size(), 2u) << steps;
    EXPECT_LE(round(trace).modes.size(), BlockFolder::kMaxBlocks) << steps;
    EXPECT_LT(distance(trace, drifting), 0.05) << steps;
    EXPECT_LE(round(trace).mode_of.classes.size(), 1u);
  }
}

// What one rank spends more than another is in their sums.
TEST(MergedBlocks, AreAlikeOnRanksThatDriftAlike) {
  const Load load = [](std::uint64_t rank, std::uint64_t step) {
    return (1 + real(rank) / 4) * drifting(rank, step);
  };
  const Trace trace = loop_of({16, 100}, load);
  EXPECT_GE(round(trace).modes.size(), 2u);
  for (const trace::DeltaTimes& m : round(trace).modes) EXPECT_EQ(m.classes.size(), 1u);
}

TEST(MergedBlocks, TellRanksThatDriftFromOthers) {
  const Load load = [](std::uint64_t rank, std::uint64_t step) {
    return rank % 3 == 0 ? 1 : rank % 3 == 1 ? drifting(rank, step) : 2 - real(step) / 120;
  };
  const Trace trace = loop_of({12, 100}, load);
  EXPECT_LT(distance(trace, load), 0.05);
  for (const trace::DeltaTimes& m : round(trace).modes) EXPECT_EQ(m.classes.size(), 3u);
}

TEST(MergedBlocks, AreNotMadeOfNoise) {
  const Load even = [](std::uint64_t, std::uint64_t) { return 1; };
  const Trace trace = loop_of({64, 200}, even);
  EXPECT_TRUE(round(trace).modes.empty());
}

// Modes that last for several executions are no noise.
TEST(MergedPath, HasModesWhereLoadMoves) {
  for (const std::uint64_t ranks : {4, 16, 64}) {
    for (const std::uint64_t steps : {20, 64, 400}) {
      const Load load = moving(ranks);
      const Trace trace = loop_of({ranks, steps}, load);
      EXPECT_LT(distance(trace, load), 0.02) << ranks << " ranks, " << steps << " steps";
    }
  }
}

// A loop that makes another call in every fifth iteration: a path has a part of the executions
// only, to that call if the load stands before it, and from it else.
TEST(MergedPath, HasModesThatLastOverSeveralPaths) {
  const Load load = moving(16);
  for (const bool is_before : {false, true}) {
    std::vector<test::Stream> streams(16);
    for (std::uint64_t r = 0; r < 16; ++r) {
      for (std::uint64_t s = 0; s < 100; ++s) {
        const std::int64_t time = duration(load, r, s);
        const bool is_fifth = s % 5 == 0;
        if (is_fifth) streams[r].push_back({1, 8, 0, 0, is_before ? time : 0, 100});
        streams[r].push_back({0, 8, 0, 0, is_before && is_fifth ? 0 : time, 100});
      }
    }
    const Trace trace = test::trace_of(streams);
    std::size_t with_modes = 0;
    for (const trace::CallTimes& call : trace.times) {
      for (const Path& path : call.paths) with_modes += path.modes.size() == 2;
    }
    EXPECT_EQ(with_modes, 2u) << is_before;
  }
}

TEST(MergedPath, HasNoModesOfOutliers) {
  const Load load = [](std::uint64_t rank, std::uint64_t step) {
    return mix(combine(rank, 7 * step)) % 50 == 0 ? 2 : 1;
  };
  EXPECT_TRUE(round(loop_of({64, 200}, load)).modes.empty());
}

TEST(MergedBlocks, AddUpToAllExecutions) {
  const Trace trace = loop_of({5, 77}, drifting);
  const Path& path = round(trace);
  for (std::uint64_t r = 0; r < 5; ++r) {
    std::uint64_t count = 0;
    double sum = 0;
    for (const trace::DeltaTimes& m : path.modes) {
      count += m.count_of(r);
      sum += m.sum_of(r);
    }
    EXPECT_EQ(count, path.compute.count_of(r));
    EXPECT_NEAR(sum, path.compute.sum_of(r), 0.02 * sum);
  }
}

// A replay has the mean of a block where the program had it.
TEST(MergedBlocks, AreDrawnInTheirOrder) {
  const Trace trace = loop_of({16, 100}, drifting);
  for (std::uint64_t r = 0; r < 16; ++r) {
    trace::PathDraw draw(round(trace), r, {});
    double first = 0, second = 0;
    for (std::uint64_t s = 1; s < 100; ++s) (s < 50 ? first : second) += draw.next();
    EXPECT_NEAR(second / first, 1.75 / 1.25, 0.03);
  }
}

}  // namespace
}  // namespace reprise::compress
