// Wildcard receives become receives from one rank with one tag, so that a benchmark or a simulation
// does the same each time. Source: Wu, Mueller & Pakin 2011, section 4.4.
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.hpp"
#include "transform/deadlock.hpp"
#include "transform/resolve/explore.hpp"
#include "transform/wildcards.hpp"

namespace reprise::transform {

enum class Matching : std::uint8_t {
  recorded,  // whom each of them met when the trace was recorded
  first,     // the first that matches as the ranks are walked: Algorithm 2
};

struct ResolveOptions {
  Matching matching = Matching::recorded;
  // Standard sends of at most so many bytes end before they are received; none: all do.
  std::optional<std::uint64_t> eager = {};
  // Hold all messages against each other even where the recorded matches are enough.
  bool check = false;
  // With `check`: how many other orders of messages are tried (explore.hpp).
  std::uint64_t orders = 0;
};

struct Resolved {
  trace::Trace trace;  // as given if there is no wildcard
  WildcardCounts counts;
  bool walked = false;               // it took more than a look at the nodes
  std::optional<Deadlock> deadlock;  // then `trace` is empty
  std::optional<Explored> explored;  // with `orders`; what it found is in `deadlock`
};

// Fails for damage, and where messages are held against each other, for what that cannot deal with
// (schedule.hpp). Cost: O(nodes) if nothing is to be done, else all calls two or three times.
Result<Resolved> resolve(trace::Trace trace, const ResolveOptions& options);

}  // namespace reprise::transform
