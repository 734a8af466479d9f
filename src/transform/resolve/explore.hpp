// Looks for deadlocks in other orders of messages than the one that a walk meets.
//
// The calls of a trace do not depend on what its wildcards met, so that an order is told by whom
// each of them takes. The first walk takes what comes first; from each walk others follow, in which
// one wildcard takes another source that sends to it, those before it on its rank what they took,
// and all others what comes first. A walk is a run that can be: a deadlock in it is one, unless the
// wildcard in question never got its message. It makes no difference whom wildcards take where all
// receives of a process in a communicator are alike and nobody waits for them to be received; there
// no other order is tried (a partial-order reduction, Flanagan & Godefroid 2005). The last
// wildcards of a rank come first, and those for whose sources receives ask by name.
#pragma once

#include "transform/schedule.hpp"

namespace reprise::transform {

struct ExploreOptions {
  std::optional<std::uint64_t> eager = {};  // as in ScheduleOptions
  std::uint64_t orders = 1000;              // that are tried at most
  std::uint64_t calls = 50'000'000;         // that are walked at most, over all orders
};

struct Explored {
  std::uint64_t orders = 0;  // that were tried
  bool is_complete = false;  // no other order makes a difference
  std::optional<Deadlock> deadlock;
  std::vector<Taken> taken;  // with the deadlock: by wildcards that did not take what came first
};

// Fails as schedule() does.
Result<Explored> explore(const trace::Trace& trace, const ExploreOptions& options);

}  // namespace reprise::transform
