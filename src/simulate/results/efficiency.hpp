// How well a run uses its processors, in the terms of the POP Centre of Excellence, and how much
// latency it bears.
#pragma once

#include <cstdint>
#include <vector>

#include "simulate/results/result.hpp"

namespace reprise::simulate {

// Each between 0 and 1. parallel = load_balance x communication;
// communication = serialization x transfer.
struct Efficiency {
  double parallel = 1;
  double load_balance = 1;   // mean over greatest computation of a stream
  double communication = 1;  // greatest computation over the time
  double serialization = 1;  // greatest computation over the time on an ideal network
  double transfer = 1;       // time on an ideal network over the time

  // Whether anything is computed; otherwise only the transfer says something.
  bool is_of_computation() const { return parallel > 0; }
};

// `ideal`: the same run on Machine::with_ideal_network().
Efficiency efficiency_of(const Outcome& run, const Outcome& ideal);

// The computation of each stream [ps].
std::vector<Picoseconds> computation_of(const Outcome& run);

// The mean over the most. REQUIRES: there are streams.
double load_balance_of(const std::vector<Picoseconds>& computation);

// The additional network latency that makes the run longer by `share` of its time: the least
// latency for which the time exceeds this. Negative: no latency up to one second does, for example
// because no rank waits for a message.
struct Tolerance {
  double share = 0;
  Picoseconds latency = 0;
};
// Source: without contention the time is convex in the latency, and Newton's steps converge from
// above; the derivatives come with each run. Cost: a few simulations a share.
Result<std::vector<Tolerance>> tolerance_of(const trace::Trace& trace, const Machine& machine,
                                            const Options& options, const Outcome& run,
                                            const std::vector<double>& shares);

}  // namespace reprise::simulate
