// What one stream does, as a trace of its own.
#pragma once

#include <cstdint>

#include "analyze/totals/memberships.hpp"
#include "trace/program.hpp"

namespace reprise::analyze {

// The same program for one stream alone, stream after stream: what it never passes is left out,
// ranks are absolute where they are known, and every value is the stream's own. The result has one
// rank and one thread, and keeps texts, frames and call paths. Cost: O(nodes), and the executions
// of calls whose ranks vary; the calls of the stream, where one call has several communicators or a
// window is made anew. REQUIRES: trace outlives it.
class Projector {
 public:
  explicit Projector(const trace::Trace& trace) : trace_(trace) {}

  trace::Trace of(std::uint64_t stream);

 private:
  const trace::Trace& trace_;
  std::uint64_t rank_ = 0;          // of the last stream
  trace::Memberships memberships_;  // of that rank; empty before the first
};

}  // namespace reprise::analyze
