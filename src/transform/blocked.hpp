// Who waited for whom when a run ended early.
#pragma once

#include <optional>

#include "base/result.hpp"
#include "trace/program.hpp"
#include "transform/collectives.hpp"
#include "transform/deadlock.hpp"

namespace reprise::transform {

struct Blocked {
  trace::Trace trace;                // with the unfinished calls, which `deadlock` is of
  std::optional<Mismatch> mismatch;  // of collectives: what comes of it depends on the MPI
  std::optional<Deadlock> deadlock;  // none: nobody waits for another rank, or `mismatch` is why
};

// Holds all messages of the run against each other, up to the calls that had not returned. Fails
// where calls are missing before these, where nothing is known of a rank, and where messages cannot
// be matched (schedule.hpp).
// REQUIRES: the trace has unfinished calls. Cost: all calls once or twice.
Result<Blocked> blocked_at_end(const trace::Trace& trace);

}  // namespace reprise::transform
