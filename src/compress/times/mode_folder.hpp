// The durations of one path of one stream, kept apart by *mode* where they come in groups that
// follow a pattern: every tenth step is long, the levels of a multigrid cycle take less and less.
// A histogram has the groups but not their order, and the order decides how long ranks wait.
//
// A duration joins the mode that it is close to, or begins one; which mode each execution was in is
// a folded series. Where that does not fold, or there are too many modes, all become one again.
// Constant space; a comparison and a few additions for a value beside what its histogram takes.
#pragma once

#include <cstdint>
#include <vector>

#include "compress/times/concordance.hpp"
#include "trace/series/series_folder.hpp"
#include "trace/times/histogram.hpp"

namespace reprise::compress {

// The durations of one mode, or of all.
struct FoldedMode {
  trace::Histogram times;
  ExecutionSample sample;

  // mode := histogram times, sample
  void encode(ByteWriter& out) const;
  static FoldedMode decode(ByteReader& in);
};

class ModeFolder {
 public:
  static constexpr std::size_t kMaxModes = 16;

  // What the clock tells apart [ns]: modes are at least as far apart.
  static constexpr double kClosest = 1e3;

  // `bins` and `smoothing`: of histograms. Durations are in ticks of any clock.
  // NOLINTNEXTLINE(bugprone-easily-swappable-parameters)
  ModeFolder(std::size_t bins, double smoothing, double ticks_per_ns)
      : bins_(bins),
        smoothing_(smoothing),
        closest_(static_cast<std::int64_t>(kClosest * ticks_per_ns)) {}

  void add(std::int64_t value);

  // By mode, in the order of their first execution; one at least. More may be added afterwards.
  std::vector<FoldedMode> modes() const;
  // The mode of each execution.
  trace::Series mode_of();
  // All modes in one.
  FoldedMode whole() const;

 private:
  // A sequence of modes that has not folded into this many terms is given up.
  static constexpr std::size_t kMaxTerms = 64;

  struct Mode : FoldedMode {
    std::int64_t center = 0;  // follows the mean
  };

  bool is_close(std::int64_t value, std::int64_t center) const;
  void choose(std::int64_t value);
  void take_sequence();
  void give_up();

  std::size_t bins_;
  double smoothing_;
  std::int64_t closest_;  // kClosest [ticks]
  std::vector<Mode> modes_;
  std::size_t current_ = 0;
  std::uint64_t executions_ = 0;
  trace::SeriesFolder sequence_;  // lags behind: of the executions before the mode last changed
  bool given_up_ = false;
  ExecutionSample sample_;  // of all
};

}  // namespace reprise::compress
