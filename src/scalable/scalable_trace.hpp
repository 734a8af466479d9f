// A scalable trace: a program at every number of ranks that its laws admit, in a file that has the
// format of a trace and, in a section of its own, the laws.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "extrapolate/scalable.hpp"
#include "extrapolate/verify/verify.hpp"
#include "program/domain.hpp"
#include "trace/program.hpp"

namespace reprise::scalable {

struct ScalableTrace {
  // What does not depend on the number of ranks: the command line and the MPI of the largest input,
  // call paths, and a call for each site of the program, in the order of the sites. It has no
  // values.
  trace::Trace frame;
  // Its sites lie in the frame (`input` is 0). Its problem is empty: see `parameters`.
  extrapolate::Scalable program;
  // Declared sizes, with a value for each input in the order of `program.ranks`.
  std::vector<extrapolate::ProblemParameter> parameters;
  program::Domain domain;
  extrapolate::Excuses excuses;  // what did not hold in the inputs either

  // The laws' text needs call paths.
  std::span<const trace::Trace> traces() const { return {&frame, 1}; }
};

// From what was inferred from traces, without times' measurements. `domain`: for which numbers.
ScalableTrace make_scalable(extrapolate::Scalable program, std::span<const trace::Trace> traces,
                            std::vector<extrapolate::ProblemParameter> parameters,
                            program::Domain domain);

// What a trace is wanted of. The values of sizes that are not said are those of all inputs.
struct Wanted {
  std::int64_t ranks = 0;
  std::vector<std::int64_t> grid = {};  // extents, d0 first; empty: as the laws have it
  std::vector<std::pair<std::string, std::int64_t>> parameters = {};
  bool times = true;
  std::uint64_t steps = 0;  // that it may take; 0: as many as laws of sense do
};

// Why there is no trace of so many ranks or such sizes; nothing if there is one.
Status check_wanted(const ScalableTrace& scalable, const Wanted& wanted);

// The trace on so many ranks, the same as that which is extrapolated from the inputs; not yet
// verified. Fails for numbers that the laws do not admit. Bounded however the laws were made. Cost:
// see extrapolate/values/instantiate.hpp.
Result<trace::Trace> instantiate(const ScalableTrace& scalable, const Wanted& wanted);

// The laws with the wanted sizes, as extrapolate/ has them before a trace is made.
Result<extrapolate::Scalable> program_at(const ScalableTrace& scalable, const Wanted& wanted);

}  // namespace reprise::scalable
