// What a trace keeps of times, to a stated precision p (1 % unless the user says otherwise).
//
// Times that are kept in full are all noise: a few hundred call sites with four histograms each and
// a sum for every rank take fifty times what the program's structure takes. Computation and MPI
// time are reduced separately, each so that
//   - no more than a tenth of p of all time moves from executions to others when histograms lose
//     bins, ranks become one class, or the pattern of modes is dropped: what moves the least time
//     for the bytes it saves goes first, so that sites that hardly take time keep one coarse
//     histogram;
//   - durations are rounded to p (trace/times/rounding.hpp);
//   - what a rank spent at a site is kept in steps of p of what ranks spend in all, beyond what
//     its class takes. A rank's rounding errors are carried from site to site, so that what it
//     spent in all stays exact: the sites that take most time hold the remainder.
#pragma once

#include "trace/program.hpp"

namespace reprise::compress {

// Reduces the times of a trace to the precision that its timing states; not at all if that is 0.
// Cost: O(deltas x (streams + classes x bins)).
void reduce_times(trace::Trace& trace);

}  // namespace reprise::compress
