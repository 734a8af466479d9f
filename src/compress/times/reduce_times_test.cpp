#include "compress/times/reduce_times.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/hash.hpp"
#include "compress/random_program.hpp"
#include "trace/file/file.hpp"

namespace reprise::compress {
namespace {

using trace::CallTimes;
using trace::DeltaTimes;
using trace::Path;
using trace::Trace;

// Ranks that go round a loop of `sites` calls. How long each takes hangs on the site, and varies by
// rank and execution: `noise` is the largest share.
Trace loop_of(std::uint32_t sites, std::uint64_t ranks, double noise) {
  std::vector<test::Stream> streams(ranks);
  for (std::uint64_t r = 0; r < ranks; ++r) {
    for (std::uint64_t step = 0; step < 20; ++step) {
      for (std::uint32_t site = 0; site < sites; ++site) {
        const auto varied = [&](double mean, std::uint64_t what) {
          const std::uint64_t random = mix(combine(combine(r, step), combine(site, what)));
          return std::llround(mean * (1 + noise * static_cast<double>(random % 1000) / 1000));
        };
        test::Sent& call = streams[r].emplace_back();
        call.site = site;
        call.compute = varied(1e5 * (1 + site % 7), 1);
        call.communicate = varied(1e4 * (1 + site % 5), 2);
      }
    }
  }
  return test::trace_of(streams);
}

std::vector<const DeltaTimes*> compute_of(const Trace& trace) {
  std::vector<const DeltaTimes*> out;
  for (const CallTimes& t : trace.times) {
    for (const Path& p : t.paths) out.push_back(&p.compute);
  }
  return out;
}

std::vector<const DeltaTimes*> communicate_of(const Trace& trace) {
  std::vector<const DeltaTimes*> out;
  for (const CallTimes& t : trace.times) out.push_back(&t.communicate);
  return out;
}

double spent(const std::vector<const DeltaTimes*>& deltas, std::uint64_t stream) {
  double sum = 0;
  for (const DeltaTimes* d : deltas) sum += d->sum_of(stream);
  return sum;
}

std::size_t bytes_of(const Trace& trace) { return trace::encode_trace(trace)->size(); }

Trace reduced(Trace trace, std::uint64_t precision = 10'000) {
  trace.timing.precision = precision;
  reduce_times(trace);
  return trace;
}

TEST(ReduceTimes, WhatARankSpentInAllIsExactAndAtASiteToThePrecision) {
  for (const double noise : {0.0, 0.05, 3.0, 100.0}) {
    const Trace exact = loop_of(30, 16, noise), kept = reduced(exact);
    const Trace read = *trace::decode_body(trace::encode_body(kept), "what was written");
    for (const auto& pick : {compute_of, communicate_of}) {
      const auto before = pick(exact), after = pick(read);
      ASSERT_EQ(before.size(), after.size());
      for (std::uint64_t s = 0; s < exact.streams(); ++s) {
        const double all = spent(before, s);
        EXPECT_EQ(spent(after, s), all) << "noise " << noise << ", rank " << s;
        for (std::size_t d = 0; d < before.size(); ++d) {
          EXPECT_EQ(before[d]->count_of(s), after[d]->count_of(s));
          EXPECT_NEAR(before[d]->sum_of(s), after[d]->sum_of(s), 0.011 * all)
              << "noise " << noise << ", rank " << s << ", delta " << d;
        }
      }
    }
  }
}

TEST(ReduceTimes, TimesGrowHardlyWithTheRanks) {
  for (const double noise : {0.05, 3.0}) {
    const Trace few = reduced(loop_of(30, 16, noise)), many = reduced(loop_of(30, 64, noise));
    // What ranks spent in all, computing and in MPI.
    EXPECT_LT(bytes_of(many), bytes_of(few) + 48 * 10) << "noise " << noise;
    EXPECT_LT(bytes_of(many), bytes_of(loop_of(30, 64, noise)) / 3) << "noise " << noise;
  }
}

TEST(ReduceTimes, WithoutAPrecisionNothingChanges) {
  const Trace exact = loop_of(10, 4, 1);
  EXPECT_EQ(trace::encode_body(reduced(exact, 0)), trace::encode_body(exact));
}

TEST(ReduceTimes, WhatWasReducedIsWrittenTheSameAgain) {
  const Trace kept = reduced(loop_of(30, 16, 2));
  const auto body = trace::encode_body(kept);
  EXPECT_EQ(trace::encode_body(*trace::decode_body(body, "what was written")), body);
}

}  // namespace
}  // namespace reprise::compress
