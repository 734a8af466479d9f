// Programs whose times follow laws, extrapolated and held against the laws.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "compress/random_program.hpp"
#include "extrapolate/times/arrivals.hpp"
#include "extrapolate/times/time_report.hpp"
#include "extrapolate/values/instantiate.hpp"

namespace reprise::extrapolate {
namespace {

using test::Stream;
using trace::DeltaTimes;
// What an execution takes [ns].
using Time = std::function<double(std::int64_t rank, std::int64_t ranks, std::int64_t step)>;

constexpr std::int64_t kSteps = 40;

// A ring: each step computes by `compute` before the first of two sends, and 500 ns before the
// other, which takes 1 us for each doubling of the ranks.
trace::Trace run(const Time& compute, std::int64_t ranks) {
  std::vector<Stream> streams;
  for (std::int64_t r = 0; r < ranks; ++r) {
    Stream& s = streams.emplace_back();
    for (std::int64_t step = 0; step < kSteps; ++step) {
      const auto log = static_cast<std::int64_t>(1000 * std::log2(ranks));
      s.push_back({0, 8, (r + 1) % ranks, 0, std::llround(compute(r, ranks, step)), 100});
      s.push_back({1, 8, (r + 1) % ranks, 0, 500, log});
    }
  }
  return test::with_frames(test::trace_of(streams));
}

struct Made {
  Inferred inferred;
  trace::Trace trace;
  std::vector<trace::Trace> inputs;
};

Made extrapolate_to(const Time& compute, std::int64_t ranks,
                    const std::vector<std::int64_t>& inputs = {4, 8, 16, 32},
                    TimeModel model = TimeModel::curves) {
  Made out;
  std::vector<std::string> names;
  for (const std::int64_t n : inputs) {
    out.inputs.push_back(run(compute, n));
    names.push_back(std::to_string(n));
  }
  const Request request{ranks, {}, model};
  auto inferred = infer_program(out.inputs, names, request);
  EXPECT_TRUE(inferred && inferred->refused.empty());
  out.inferred = std::move(*inferred);
  auto made = instantiate(out.inferred.program, out.inputs, request);
  EXPECT_TRUE(made);
  out.trace = std::move(*made);
  return out;
}

// Computation round the loop: before the first call, behind the second.
const trace::Path& round_path(const trace::Trace& trace) {
  const trace::Path* found = trace.times.at(0).path_from(1);
  EXPECT_NE(found, nullptr);
  return *found;
}

double mean_of(const DeltaTimes& times) { return times.total().mean(); }

double rank_mean(const DeltaTimes& times, std::uint64_t rank) {
  return times.sum_of(rank) / static_cast<double>(times.count_of(rank));
}

// Counts are those of the loops, and the histograms of all classes add up to what ranks spent.
void expect_consistent(const trace::Trace& trace) {
  ASSERT_EQ(trace.times.size(), trace.calls.size());
  const auto arrivals = count_arrivals(trace);
  ASSERT_TRUE(arrivals);
  for (std::uint32_t call = 0; call < trace.times.size(); ++call) {
    for (const trace::Path& p : trace.times[call].paths) {
      std::int64_t sum = 0;
      for (std::uint64_t s = 0; s < trace.streams(); ++s) {
        const ArrivalCounts& counts = arrivals->counts[arrivals->class_of[s]];
        const auto found = counts.find({call, p.from});
        EXPECT_EQ(p.compute.count_of(s), found == counts.end() ? 0 : found->second);
        sum += static_cast<std::int64_t>(p.compute.sum_of(s));
      }
      EXPECT_EQ(p.compute.total().sum, sum);
      for (const trace::Histogram& h : p.compute.classes) {
        const auto bins = h.bins();
        for (std::size_t b = 1; b < bins.size(); ++b) EXPECT_LE(bins[b - 1].max, bins[b].min);
      }
    }
  }
}

TEST(ExtrapolatedTimes, FollowTheirLaws) {
  const Made made = extrapolate_to([](auto, auto n, auto) { return 1e7 / double(n) + 5e4; }, 512);
  expect_consistent(made.trace);
  EXPECT_NEAR(mean_of(round_path(made.trace).compute), 1e7 / 512 + 5e4, 700);
  EXPECT_NEAR(mean_of(made.trace.times[1].communicate), 9000, 90);
  EXPECT_NEAR(mean_of(made.trace.times[1].paths[0].compute), 500, 1);
  EXPECT_EQ(made.trace.times[1].paths.size(), 1u);
  EXPECT_EQ(made.trace.timing.mode, trace::TimeMode::paths);
}

TEST(ExtrapolatedTimes, HaveIntervalsAroundTheTruth) {
  const auto noise = [](std::int64_t r, std::int64_t n, std::int64_t step) {
    const auto bits = mix(combine(combine(static_cast<std::uint64_t>(n), r), step));
    return 1 + 0.1 * (static_cast<double>(bits >> 11) * 0x1p-53 - 0.5);
  };
  const Made made = extrapolate_to(
      [&](auto r, auto n, auto step) { return (1e7 / double(n) + 5e4) * noise(r, n, step); }, 512);
  expect_consistent(made.trace);
  for (const TimeReport& t : report_times(made.inferred.program, made.inputs, 512)) {
    for (const FieldReport& f : t.fields) {
      EXPECT_LE(f.at.low, f.at.value);
      EXPECT_GE(f.at.high, f.at.value);
    }
    if (t.measured.back() < 1e5) continue;
    EXPECT_LE(t.fields[0].at.low, 1e7 / 512 + 5e4);
    EXPECT_GE(t.fields[0].at.high, 1e7 / 512 + 5e4);
    EXPECT_LT(t.fields[0].at.high - t.fields[0].at.low, 2.5e4);
  }
}

TEST(ExtrapolatedTimes, KeepASlowRankAndASlowHalf) {
  const Made slow = extrapolate_to([](auto r, auto, auto) { return r == 1 ? 2e5 : 1e5; }, 100);
  expect_consistent(slow.trace);
  EXPECT_NEAR(rank_mean(round_path(slow.trace).compute, 1), 2e5, 1e3);
  EXPECT_NEAR(rank_mean(round_path(slow.trace).compute, 70), 1e5, 1e3);
  EXPECT_EQ(round_path(slow.trace).compute.classes.size(), 2u);
  const Made half =
      extrapolate_to([](auto r, auto n, auto) { return 2 * r >= n ? 3e5 : 1e5; }, 100);
  expect_consistent(half.trace);
  EXPECT_NEAR(rank_mean(round_path(half.trace).compute, 10), 1e5, 1e3);
  EXPECT_NEAR(rank_mean(round_path(half.trace).compute, 90), 3e5, 1e3);
}

TEST(ExtrapolatedTimes, KeepModesThatComeByAPattern) {
  const Made made =
      extrapolate_to([](auto, auto, auto step) { return step % 4 == 3 ? 9e5 : 1e5; }, 64);
  const trace::Path& path = round_path(made.trace);
  ASSERT_EQ(path.modes.size(), 2u);
  EXPECT_EQ(path.modes[0].total().count + path.modes[1].total().count, path.compute.total().count);
  EXPECT_NEAR(mean_of(path.modes[0]) + mean_of(path.modes[1]), 1e6, 1e3);
}

TEST(ExtrapolatedTimes, ByThePaperTakeItsModels) {
  const Made made = extrapolate_to([](auto, auto n, auto) { return 1e7 / double(n); }, 256,
                                   {4, 8, 16, 32}, TimeModel::paper);
  expect_consistent(made.trace);
  EXPECT_NEAR(mean_of(round_path(made.trace).compute), 1e7 / 256, 100);
  // Logarithms are none of them.
  EXPECT_GT(std::abs(mean_of(made.trace.times[1].communicate) - 8000), 1000);
}

TEST(ExtrapolatedTimes, AreNoneWhereInputsHaveNone) {
  std::vector<trace::Trace> inputs;
  for (const std::int64_t n : {4, 8, 16}) {
    inputs.push_back(run([](auto, auto, auto) { return 1e5; }, n));
  }
  inputs[1].times.clear();
  inputs[1].timing = {};
  const std::vector<std::string> names = {"a", "b", "c"};
  const auto inferred = infer_program(inputs, names, {64, {}});
  ASSERT_TRUE(inferred);
  EXPECT_EQ(inferred->program.times.why_none, "the trace on 8 ranks has none");
  const auto made = instantiate(inferred->program, inputs, {64, {}});
  ASSERT_TRUE(made);
  EXPECT_TRUE(made->times.empty());
}

}  // namespace
}  // namespace reprise::extrapolate
