// A histogram from bins that were not counted value by value, as those of an extrapolated trace.
#pragma once

#include <vector>

#include "trace/times/histogram.hpp"

namespace reprise::trace {

// What the bins say, ascending by their means. What cannot be is put right, so that the result is a
// histogram that a file may hold: the mean lies within the range, the deviation is no wider than it
// allows, and no bin begins before the one before it ends. Counts and the sum over all bins stay as
// they are; ranges give way. Bins without values are left out, and those of one mean are joined.
// REQUIRES: no sum is negative, all sums come to 2^61 ns at most, and all counts to 2^60.
Histogram make_histogram(std::vector<Bin> given);

}  // namespace reprise::trace
