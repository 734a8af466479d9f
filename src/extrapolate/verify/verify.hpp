// Whether a generated trace can be that of a run: messages match, members of a communicator make
// the same collective calls, and communicators have the members that their creation determines.
//
// Every law may be right on the samples and wrong on more ranks; where two of them contradict each
// other, one is wrong. The inputs are examined first: a rule that an input violates, for example by
// a message that is never received, is not required at those call sites.
#pragma once

#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "extrapolate/verify/findings.hpp"
#include "trace/program.hpp"

namespace reprise::extrapolate {

struct Contradiction {
  std::string what;                // "rank 14 is sent 5 messages with tag 1 by rank 15 and ..."
  std::uint64_t more = 0;          // of the same kind at the same call sites
  std::vector<std::string> sites;  // "MPI_Send in exchange stencil2d.c:40"
};

struct Verdict {
  std::vector<Contradiction> contradictions;
  std::vector<std::string> left_out;  // what was not examined, and why
};

// One trace by itself. REQUIRES: one thread a rank. Cost: see the parts; bounded however the trace
// is.
Verdict verify(const trace::Trace& trace);

// What does not hold in the inputs, and at which call sites ("MPI_Send in exchange
// stencil2d.c:40").
using Excuses = std::set<std::pair<Rule, std::string>>;
Excuses excuses_of(std::span<const trace::Trace> inputs);

// A trace that was made from others.
Verdict verify(const trace::Trace& made, const Excuses& excuses);
Verdict verify(const trace::Trace& made, std::span<const trace::Trace> inputs);

}  // namespace reprise::extrapolate
