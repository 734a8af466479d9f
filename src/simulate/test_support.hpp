// Traces for tests of the simulator: programs as text, and what they compute.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "analyze/program_text.hpp"
#include "simulate/results/result.hpp"
#include "trace/series/series_folder.hpp"

namespace reprise::simulate::test {

inline constexpr Picoseconds kMicrosecond = 1'000'000;

// Says what each stream computes before each execution of a call [ns].
inline void compute_before(trace::Trace& trace, std::uint32_t call,
                           const std::vector<std::int64_t>& by_stream) {
  trace.times.resize(trace.calls.size());
  trace::Path path;
  trace::Histogram histogram;
  trace::SeriesFolder sums;
  for (const std::int64_t ns : by_stream) {
    histogram.add(ns);
    sums.append(ns);
  }
  path.compute.classes = {histogram};
  path.compute.counts = trace::Series::constant(1);
  path.compute.sums = sums.finish();
  trace.times[call].paths = {path};
}

// Outcomes of operations that must succeed.
inline Outcome run(const trace::Trace& trace, const Machine& machine, const Options& options = {}) {
  auto out = simulate(trace, machine, options);
  EXPECT_TRUE(out) << out.error().message;
  return out ? *out : Outcome();
}

inline Outcome run(const std::string& program, const Machine& machine,
                   const Options& options = {}) {
  return run(analyze::parse_program(program), machine, options);
}

}  // namespace reprise::simulate::test
