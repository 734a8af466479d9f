// Where a run spent its time, and how unevenly: one row for each delta of each call, the one first
// whose imbalance cost the most. Source: Ratn et al. 2008, section 5.7, which reads this out of a
// trace by hand.
#pragma once

#include <cstdint>
#include <optional>
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

// What ranks spent in sum [ns]; those that never came this way do not count.
struct Balance {
  double mean = 0, most = 0;
  std::uint64_t slowest = 0;  // rank

  // 1 is even.
  double imbalance() const { return mean > 0 ? most / mean : 1; }
  // What balance would save at most.
  double excess() const { return most - mean; }
};

struct TimeRow {
  enum class What { compute, communicate };

  What what = What::compute;
  std::uint32_t call = 0;                       // the call, or the one that ended the computation
  std::uint32_t from = trace::Path::kAny;       // the call before: of computation by paths
  trace::Bin all;                               // over all executions [ns]
  std::uint64_t min_rank = 0, max_rank = 0;     // where the extremes of single executions occurred
  std::optional<Balance> balance;               // none: times of all ranks are kept as one
  double concordance = 0;                       // as in DeltaTimes
  std::vector<TimeGroup> groups_of_ranks;       // two or more, or none; the slowest first
  std::vector<TimeGroup> groups_of_executions;  // two or more, or none; the slowest first
  // The ranks of whose executions these are shares; empty: of all ranks.
  std::vector<std::uint64_t> ranks_of_executions;
  std::vector<trace::Bin> bins;

  double total() const { return static_cast<double>(all.sum); }
  double excess() const { return balance ? balance->excess() : 0; }
};

// All deltas but those without any time, by excess (where it is known); then by total. Cost:
// O(deltas x streams). REQUIRES: the trace has times.
std::vector<TimeRow> time_rows_of(const trace::Trace& trace);

// Groups of executions that lie apart, the slowest first; two or more, or none. Cost: O(bins).
std::vector<TimeGroup> groups_of_executions(const trace::Histogram& histogram);

// What all ranks computed and communicated [ns].
struct TimeTotals {
  double compute = 0, communicate = 0;
};
TimeTotals time_totals_of(const std::vector<TimeRow>& rows);

}  // namespace reprise::analyze
