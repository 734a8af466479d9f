// For tests: programs whose ranks execute by a rule, and their scalable traces.
#pragma once

#include <gtest/gtest.h>

#include <functional>

#include "compress/random_program.hpp"
#include "scalable/codec.hpp"
#include "scalable/fit.hpp"
#include "trace/file/file.hpp"

namespace reprise::scalable {

using TestProgram = std::function<test::Stream(std::int64_t rank, std::int64_t ranks)>;

// A trace whose calls are MPI_Send with a count, a rank that it goes to and a tag.
inline trace::Trace run(const TestProgram& program, std::int64_t ranks) {
  std::vector<test::Stream> streams;
  for (std::int64_t r = 0; r < ranks; ++r) streams.push_back(program(r, ranks));
  trace::Trace out = test::trace_of(streams);
  out.texts.emplace_back("f");
  for (std::uint32_t p = 0; p < out.callpaths.size(); ++p) {
    out.frames.push_back({.function = 1, .line = p + 1});
    out.callpaths[p] = {p};
  }
  return out;
}

struct Inputs {
  std::vector<trace::Trace> traces;
  std::vector<std::string> names;
};

inline Inputs record(const TestProgram& program, const std::vector<std::int64_t>& ranks) {
  Inputs out;
  for (const std::int64_t p : ranks) {
    // Traces are what files hold.
    out.traces.push_back(*trace::decode_body(trace::encode_body(run(program, p)), "input"));
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
inline ScalableTrace fitted(const TestProgram& program, const std::vector<std::int64_t>& ranks) {
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
