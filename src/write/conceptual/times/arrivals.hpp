// By which path each execution of a call comes (trace/times/times.hpp, `Path`): as recorded, or,
// where a recording does not tell since it would take too much space, as the loops of the trace
// tell.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "trace/program.hpp"

namespace reprise::write::conceptual {

class Arrivals {
 public:
  // REQUIRES: the trace outlives it and does not change. Cost: O(calls of all streams) if a call
  // has several paths and no recorded order, else O(calls of the trace).
  explicit Arrivals(const trace::Trace& trace);

  // Of each execution on a stream: an index into the paths of the call, below 0 if it comes by none
  // of them. Where executions vary, how often the stream executes the call is the length.
  trace::ValueCursor of(std::uint32_t call, std::uint64_t stream) const;

 private:
  const trace::Trace& trace_;
  std::map<std::uint32_t, trace::Value> walked_;  // by call, if it has no recorded order
};

}  // namespace reprise::write::conceptual
