// Collectives that different source lines call on different ranks become one call.
//
// Where rank 0 calls MPI_Barrier in one branch and the others in another, the trace has two calls,
// each with a part of the ranks. That is how the program reads, but not what the network sees, and
// a language that speaks of all ranks at once (coNCePTuaL) cannot say it. Here such calls become
// one, with all participants, and the order of every rank's calls stays as it is. Source: Wu,
// Mueller & Pakin 2011, section 4.3 and Algorithm 1; ours finds partners by counting
// (collectives.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "base/result.hpp"
#include "transform/collectives.hpp"

namespace reprise::transform {

// True: there is nothing to align, because all streams come by the same collectives in the same
// order. False: it takes a walk to know. Cost: O(nodes).
bool is_plainly_aligned(const trace::Trace& trace);

struct Aligned {
  trace::Trace trace;        // as given if nothing was united
  std::uint64_t united = 0;  // calls of the given trace that now share another's place
  std::uint64_t sites = 0;   // calls that took their place
  bool walked = false;       // it took more than a look at the nodes
};

struct AlignOutcome {
  Aligned aligned;
  std::optional<Mismatch> mismatch;  // then there is nothing else
};

// Fails for damage, and for several threads a rank. Cost: O(nodes) where that is enough, else all
// calls once, or twice if some are united; memory: that of the result and one cursor.
Result<AlignOutcome> align(trace::Trace trace);

// Two calls of a trace that should be one collective and are not. Of a run that ended early: a rank
// that makes no further collective is none. Nothing for several threads a rank. Fails for damage.
// Cost: all calls.
Result<std::optional<Mismatch>> find_conflict(const trace::Trace& trace);

}  // namespace reprise::transform
