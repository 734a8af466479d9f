// Which calls name all requests that are pending, however many those are.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "trace/program.hpp"

namespace reprise::write::c {

class PendingAt {
 public:
  // REQUIRES: the trace outlives it and does not change.
  explicit PendingAt(const trace::Trace& trace) : trace_(trace) {}

  // Whether each execution of the call names all that are pending, the oldest first. False where a
  // trace is too long to look. Cost: the first time, O(executions) of the whole trace.
  bool are_all_named(std::uint32_t call);

 private:
  std::vector<bool> look() const;

  const trace::Trace& trace_;
  std::optional<std::vector<bool>> all_named_;  // by call
};

}  // namespace reprise::write::c
