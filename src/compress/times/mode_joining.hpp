// Makes the modes of a path fewer, the most alike first: levels of nearly equal time become one,
// and so do blocks of executions between which load drifts little. The last two that become one are
// no modes any more.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/times/times.hpp"

namespace reprise::compress {

// What makes times smaller: the time that moves from executions to others, the bytes that it saves.
struct Reduction {
  double moved;  // [ns]
  double saved;  // [bytes]

  double price() const { return moved / saved; }
};

// Time that moves when executions of two means take the mean of both [ns].
double moved_by_joining(const trace::Bin& a, const trace::Bin& b);

// `bytes_of_bin`: what a bin takes, about. Steps are in the order in which they are made, with
// prices that rise. Cost: O(modes^3 + modes^2 x runs), with the runs of counts over streams.
std::vector<Reduction> mode_joinings(const trace::Path& path, std::uint64_t streams,
                                     double bytes_of_bin);

// Makes the steps of mode_joinings() of up to this price.
void join_modes(trace::Path& path, std::uint64_t streams, double bytes_of_bin, double most_price);

}  // namespace reprise::compress
