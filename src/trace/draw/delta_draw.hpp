// Durations for the executions of one stream, drawn from what a trace keeps of them.
//
// Values are drawn from the bins of the stream's class without replacement, so that the
// distribution is that of the histogram, and scaled as they are drawn, so that their sum is what
// the stream spent. Where the streams' long executions coincided (DeltaTimes::concordance), all
// streams draw their bins, and their place in them, in one order; otherwise each in its own. Within
// a bin, mean and deviation are kept; a lone bin that is wide (`--time stats`) says nothing of
// single values, and all take the mean. Source: the quota is that of Ratn et al. 2008, section 3.4
// ("reflect the distribution across bins accurately"); the rest is ours.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/times/times.hpp"

namespace reprise::trace {

// Equal ones draw equal values.
struct DrawSeed {
  std::uint64_t seed = 1;
  std::uint64_t key = 0;  // names the delta, the same on all streams
};

class DeltaDraw {
 public:
  DeltaDraw() = default;
  DeltaDraw(const DeltaTimes& times, std::uint64_t stream, DrawSeed seed);

  // Of the next execution [ns]. Behind the last one that the trace knows of: the mean.
  double next();

 private:
  struct Quota {
    Bin bin;
    std::uint64_t left = 0;
  };

  std::vector<Quota> quotas_;
  std::uint64_t left_ = 0;    // executions
  double sum_left_ = 0;       // of what the stream spent [ns]
  double expected_left_ = 0;  // of the means of what is left to draw [ns]
  double mean_ = 0;           // [ns]
  bool mean_only_ = false;
  double own_variance_ = 0;      // of this stream apart from the others [ns^2]
  std::uint64_t order_ = 0;      // of the bins
  std::uint64_t variation_ = 0;  // within them
};

// The computation of one path of a call: where it has modes, each execution is drawn from its own.
class PathDraw {
 public:
  PathDraw() = default;
  // REQUIRES: the path outlives the draw and does not change.
  PathDraw(const Path& path, std::uint64_t stream, DrawSeed seed);

  // Of the next execution [ns].
  double next();

 private:
  std::vector<DeltaDraw> modes_;
  ValueCursor mode_of_;
  double scale_ = 1;  // so that the modes add up to what the stream spent
};

}  // namespace reprise::trace
