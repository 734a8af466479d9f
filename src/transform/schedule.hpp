// Walks all ranks of a trace side by side, each until it is blocked, and holds their messages
// against each other: Algorithm 2 of Wu, Mueller & Pakin 2011, without recursion.
//
// A rank is blocked by a send that is not buffered, a receive, a probe, a wait, or a collective
// that some member has not come to. The walk then goes on with the rank that can unblock it, or
// with the next one that is not blocked. Messages match by communicator, source and tag in the
// order in which they were sent and posted. When all are blocked, they wait for each other, as they
// could in a run of the program: what is found is a deadlock of this order of matches, and another
// order may have others (a sufficient test, not a necessary one).
//
// Not held against each other: one-sided communication, which blocks nobody here; and the order of
// calls on files.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/result.hpp"
#include "transform/deadlock.hpp"
#include "transform/walk/order_log.hpp"
#include "transform/wildcards.hpp"

namespace reprise::transform {

struct ScheduleOptions {
  // Standard sends of at most so many bytes end at once; none: all.
  std::optional<std::uint64_t> eager;
  // By stream, what wildcards have become already; empty: they take the first that matches.
  const std::vector<Resolution>* resolved = nullptr;
  // Calls from this one on had not returned when the run ended (trace/file/unfinished.hpp): what
  // they send was not buffered.
  std::uint32_t first_unfinished = ~std::uint32_t{0};
  // Whom receives from any source take, where they are not resolved; null: what comes first.
  const Choices* choices = nullptr;
  OrderLog* log = nullptr;  // what they took
};

struct Scheduled {
  std::vector<Resolution> resolutions;  // by stream; empty if they were given
  WildcardCounts counts;
  std::uint64_t calls = 0;  // that were walked
  std::optional<Deadlock> deadlock;
};

// Refuses several threads a rank, and messages to processes that are not in the trace.
Status can_schedule(const trace::Trace& trace);

// Fails for damage, and where can_schedule refuses. Cost: all calls once; memory: a cursor a rank,
// and what is outstanding.
Result<Scheduled> schedule(const trace::Trace& trace, const ScheduleOptions& options);

}  // namespace reprise::transform
