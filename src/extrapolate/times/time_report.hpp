// The laws of times in words and numbers, at one number of ranks: what a report shows.
#pragma once

#include <string>
#include <vector>

#include "extrapolate/scalable.hpp"

namespace reprise::extrapolate {

// A field of a histogram: its law, and the value with the interval that covers it with a
// probability of 95 % where the law is of the right shape [ns].
struct FieldReport {
  std::string name;  // "mean", "mean of bin 1", "minimum of bin 1", ...
  std::string law;   // in terms of the variables [ns]
  fit::Estimate at;
};

struct TimeReport {
  std::string function, place;  // of the call
  std::string what;             // "compute after MPI_Send in main app.c:3", "communicate", ...
  std::vector<std::vector<double>> points;  // of the inputs that have it
  std::vector<double> measured;             // means there, where the ratio of a rank is 1 [ns]
  std::vector<FieldReport> fields;          // the mean first
  std::vector<double> shares;               // of the bins
  double error = 0;                         // of the mean, left out point by point, relative
  std::string runner_up;  // of the mean, where the order is not resolved; else empty
  std::string ranks;      // the rule by which ranks differ: "even", ...
  double spread = 0;      // deviation over ranks of what the rule leaves over, relative
  std::size_t modes = 0;  // groups of executions with laws of their own
};

// `ranks`: where the values are wanted. Cost: a bootstrap for each law, some ms.
std::vector<TimeReport> report_times(const Scalable& program, std::span<const trace::Trace> traces,
                                     std::int64_t ranks);

}  // namespace reprise::extrapolate
