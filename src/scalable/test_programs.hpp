// For tests: programs whose ranks execute by a rule, and their scalable traces.
#pragma once

#include <gtest/gtest.h>

#include "compress/random_program.hpp"
#include "scalable/codec.hpp"
#include "scalable/fit.hpp"
#include "trace/file/file.hpp"

namespace reprise::scalable {

struct Inputs {
  std::vector<trace::Trace> traces;
  std::vector<std::string> names;
};

inline Inputs record(const test::RankProgram& program, const std::vector<std::int64_t>& ranks) {
  Inputs out;
  for (const std::int64_t p : ranks) {
    // Traces are what files hold.
    out.traces.push_back(
        *trace::decode_body(trace::encode_body(test::run_program(program, p)), "input"));
    out.names.push_back(std::to_string(p));
  }
  return out;
}

inline test::Stream ring(std::int64_t rank, std::int64_t ranks) {
  test::Stream out;
  for (int i = 0; i < 10; ++i) out.push_back({1, 64, (rank + 1) % ranks, 0});
  if (rank == 0) out.push_back({2, ranks, 1, 0});
  return out;
}

// Nobody receives here, which excuses the sites.
inline ScalableTrace fitted(const test::RankProgram& program,
                            const std::vector<std::int64_t>& ranks) {
  const Inputs inputs = record(program, ranks);
  auto out = fit(inputs.traces, inputs.names, {});
  EXPECT_TRUE(out) << out.error().message;
  EXPECT_TRUE(out->trace) << out->differs;
  return std::move(*out->trace);
}

// Through a file.
inline Result<ScalableTrace> again(const ScalableTrace& scalable) {
  const auto file = trace::encode_trace(encode(scalable));
  EXPECT_TRUE(file);
  const auto read = trace::decode_trace(*file, "app", trace::Accept::scalable_too);
  if (!read) return read.error();
  return decode(*read, "app");
}

}  // namespace reprise::scalable
