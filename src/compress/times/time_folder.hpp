// Takes the deltas of one stream as its calls come: constant space for each site and path.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/flat_map.hpp"
#include "compress/times/block_folder.hpp"
#include "compress/times/mode_folder.hpp"
#include "trace/series/series_folder.hpp"
#include "trace/times/times.hpp"

namespace reprise::compress {

// How times are kept.
struct TimeOptions {
  trace::TimeMode mode = trace::TimeMode::paths;
  std::size_t bins = 5;  // of a histogram, 1 to Histogram::kMaxBins; `stats` has one
  double smoothing = trace::Histogram::kDefaultSmoothing;
  double precision = 1;  // of what the trace keeps [%], 0 to 50; 0: exact (reduce_times.hpp)

  // As Timing has it.
  std::uint64_t precision_in_millionths() const {
    return static_cast<std::uint64_t>(1e4 * std::clamp(precision, 0.0, 50.0));
  }
  std::size_t bins_kept() const { return mode == trace::TimeMode::stats ? 1 : bins; }
};

struct FoldedPath {
  std::uint32_t from = 0;  // site, or Path::kStart, or Path::kAny
  FoldedMode compute;
  std::vector<FoldedMode> modes;  // none if there is but one
  trace::Series mode_of;          // over the executions by this path; of no terms if there is one
  TimeBlocks blocks;              // of all executions; none if they have no trend
};

// The times of one site of a finished stream.
struct FoldedTimes {
  trace::Histogram communicate;
  std::vector<FoldedPath> paths;
  // Over the executions: the site before + 1, or 0 for none. Empty if it does not fold.
  trace::Series arrivals;

  // times := histogram communicate, varint paths, path{paths}, series arrivals
  // path := varint from, mode compute, varint modes, mode{modes}, series mode_of,
  //         blocks
  void encode(ByteWriter& out) const;
  static FoldedTimes decode(ByteReader& in);
};

// Of one execution: the time since the call before, and that within the call [ticks].
struct StepTimes {
  std::int64_t compute = 0, communicate = 0;
};

class TimeFolder {
 public:
  // `ticks_per_ns`: of the clock, about.
  explicit TimeFolder(TimeOptions options, double ticks_per_ns = 1)
      : options_(options), ticks_per_ns_(ticks_per_ns) {}

  // The execution of site `to` behind one of site `from` (Path::kStart: it is the first).
  // Amortised O(bins). If memory runs out, the modes and blocks of the path, or the arrivals of the
  // site, are left out from then on.
  void add(std::uint32_t from, std::uint32_t to, StepTimes times);

  // By site, in ns. `ns_per_tick` > 0: what the clock turned out to be. More may be added
  // afterwards.
  std::vector<FoldedTimes> finish(double ns_per_tick);

 private:
  // Arrivals that have not folded into this many terms are given up.
  static constexpr std::size_t kMaxTerms = 256;
  static constexpr std::uint32_t kNoPath = FlatMap::kMissing;

  struct PathState {
    std::uint32_t from, to;
    ModeFolder compute;
    BlockFolder blocks;
    bool is_whole = true;  // false once memory ran out: modes and blocks may be of other executions
  };

  struct Site {
    trace::Histogram communicate;
    std::uint32_t path = kNoPath;  // of the last execution
    std::uint64_t executions = 0;
    trace::SeriesFolder arrivals;  // lags behind: of the executions before the path last changed
    bool given_up = false;
  };

  std::uint32_t find_or_add(std::uint32_t from, std::uint32_t to);
  void take_arrivals(Site& site) const;

  TimeOptions options_;
  double ticks_per_ns_;
  std::vector<Site> sites_;
  std::vector<PathState> paths_;
  FlatMap path_of_;  // (from, to) -> index into paths_
};

}  // namespace reprise::compress
