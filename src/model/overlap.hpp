// A model of ours over the number of ranks: what computation, latencies and bytes take alone, by
// laws, and how much of them overlaps.
//
// The time is that of the longest of many paths, each with some computation, latencies and bytes.
// `PathCounts` has what the longest path has where only one of the three takes time. Simulations
// count these numbers without noise, and they follow laws of P (fit/scaling_laws.hpp) where the
// paper's beta' and gamma' mix several paths and do not. Divided by them, the planes that touch the
// time say what share of each a path has, and these shares hardly change with P. So the planes of
// the traces on the next fewer and the next more ranks are put upon PathCounts(P), and the times
// that they give are weighed by log P; beyond the largest trace, its planes stand.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "fit/scaling_laws.hpp"
#include "model/samples.hpp"

namespace reprise::model {

struct OneSize;

struct PathCounts {
  double computation = 0;  // the time on a network that takes none [s]
  double latencies = 0;    // where only they take time
  double bytes = 0;        // likewise
  // The time where none of the three takes any [s]: of messages within nodes that have a wire of
  // their own, of overheads and gaps, of files. A part of each alpha that no CPU ratio changes.
  double rest = 0;
};

struct PathLaws {
  fit::ScalingLawFit computation, latencies, bytes;

  // The number of ranks from which on all three hold.
  double from() const;
};
// Whether each law is positive there, or of what no trace has any of. One with a negative
// coefficient may fall below zero far from the traces.
bool holds_at(const PathLaws& laws, double ranks);

// Four simulations, without the samples' latencies and bandwidths.
Result<PathCounts> count_path(const trace::Trace& trace, const simulate::Machine& machine);

using Sizes = std::vector<const OneSize*>;  // ascending in ranks

// Nothing: fewer than four sizes, or numbers that follow no law.
std::optional<PathLaws> laws_of(const Sizes& sizes);

struct Interval {
  double time = 0, low = 0, high = 0;  // [s]
};

// The time by laws and planes, and between which others the rivals of the laws leave it open.
// Nothing: the laws do not hold there. REQUIRES: a size has laws.from() ranks or more.
std::optional<Interval> time_by_laws(const PathLaws& laws, const Sizes& sizes, double ranks,
                                     const Point& point);

// What leaving traces out has shown of the error where no trace is: that of the traces beside it;
// beyond the largest, its error, growing with the logarithm of P. Relative; nothing: not known.
// REQUIRES: two sizes or more.
std::optional<double> error_by_laws(const PathLaws& laws, const Sizes& sizes, double ranks);

}  // namespace reprise::model
