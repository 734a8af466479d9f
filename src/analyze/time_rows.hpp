// Where a run spent its time, and how unevenly: one row for each delta of each call, the one first
// whose imbalance cost the most. Source: Ratn et al. 2008, section 5.7, which reads this out of a
// trace by hand.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/program.hpp"

namespace reprise::analyze {

// Streams or executions that take about the same time.
struct TimeGroup {
  std::vector<std::uint64_t> ranks;  // empty: a group of executions
  double share = 0;                  // of the executions
  double mean = 0;                   // [ns]
};

struct TimeRow {
  enum class What { compute, communicate };

  What what = What::compute;
  std::uint32_t call = 0;                    // the call, or the one that ended the computation
  std::uint32_t from = trace::Path::kAny;    // the call before: of computation by paths
  trace::Bin all;                            // over all executions [ns]
  std::uint64_t min_rank = 0, max_rank = 0;  // where the extremes of single executions occurred
  // Sums of ranks [ns]; ranks that never came this way do not count.
  double rank_mean = 0, rank_max = 0;
  std::uint64_t slowest_rank = 0;
  double concordance = 0;                       // as in DeltaTimes
  std::vector<TimeGroup> groups_of_ranks;       // two or more, or none; the slowest first
  std::vector<TimeGroup> groups_of_executions;  // two or more, or none; the slowest first
  std::vector<trace::Bin> bins;

  double total() const { return static_cast<double>(all.sum); }
  // Maximum over mean of what ranks spent; 1 is even.
  double imbalance() const { return rank_mean > 0 ? rank_max / rank_mean : 1; }
  // What the slowest rank spent beyond the mean [ns]: what balance would save at most.
  double excess() const { return rank_max - rank_mean; }
};

// All deltas but those without any time, by excess; then by total. Cost: O(deltas x streams).
// REQUIRES: the trace has times.
std::vector<TimeRow> time_rows_of(const trace::Trace& trace);

// What all ranks computed and communicated [ns].
struct TimeTotals {
  double compute = 0, communicate = 0;
};
TimeTotals time_totals_of(const std::vector<TimeRow>& rows);

}  // namespace reprise::analyze
