// Wait states and what they cost.
#pragma once

#include <map>

#include "diagnose/experiment.hpp"

namespace reprise::diagnose {

// The computation before a call that makes others wait, wherever they do; by stream [ps].
struct Delaying {
  std::vector<Picoseconds> by_waiter;
  std::vector<double> by_culprit;

  // What streams wait in the mean, each weighted by what it waits [ps].
  Picoseconds excess() const;
};
std::map<std::uint32_t, Delaying> delaying_computation(const simulate::Outcome& run);

// Of a run with delays, most time first.
std::vector<Wait> waits_of(const trace::Trace& trace, const simulate::Outcome& run);

// A finding for each that costs enough. Cost: a simulation for each of the kMostTried that may cost
// most.
Status find_waits(const Experiment& experiment, const std::vector<Wait>& waits,
                  std::vector<Finding>& out);

// Computation of one rank that most of the others wait for and have no part in. Cost: likewise.
Status find_serial_phases(const Experiment& experiment, std::vector<Finding>& out);

}  // namespace reprise::diagnose
