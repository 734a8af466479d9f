// The times of a program at every number of ranks: a law for each delta.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "extrapolate/times/time_law.hpp"

namespace reprise::extrapolate {

struct ScalableTimes {
  TimeModel model = TimeModel::none;
  trace::Timing timing;                // how the inputs took them
  bool keeps_rank_sums = false;        // whether single ranks have sums
  std::vector<std::string> variables;  // of the laws: "ranks", then declared parameters
  std::vector<std::uint32_t> telling;  // sites by whose executions the parts of ranks are told
  std::vector<TimeLaw> laws;           // by delta, ascending
  fit::Curve stretch;                  // the run's duration over what a rank spends on average
  std::string why_none = {};           // in words, if the inputs have times and these have not

  // The law of a delta; of a path that no input has, that of the computation over all paths of the
  // site. Null if no input executes it.
  const TimeLaw* law_of(const Delta& delta) const;
};

ScalableTimes infer_times(const Aligned& inputs, std::span<const trace::Trace> traces,
                          TimeModel model);

// A value for each variable of the laws: where times are wanted.
std::vector<double> time_point(const Problem& problem, std::int64_t ranks);

// The parts that streams have, from how often each comes by the telling sites: [streams x telling].
std::vector<Part> parts_of(const std::vector<std::vector<std::uint64_t>>& executions);

// Gives a trace, whose calls and items are in place, its times. `call_of` has the call of each
// site; `point` a value for each variable. Cost: O(deltas x streams) steps, without an expanded
// trace.
void put_times(trace::Trace& out, const ScalableTimes& times,
               std::span<const std::uint32_t> call_of, std::span<const double> point);

}  // namespace reprise::extrapolate
