// The law of one delta: what every field of its histogram is as a function of the number of ranks.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "extrapolate/times/call_sizes.hpp"
#include "extrapolate/times/rank_profile.hpp"
#include "extrapolate/times/time_samples.hpp"
#include "fit/curves.hpp"

namespace reprise::extrapolate {

enum class TimeModel : std::uint8_t {
  curves,  // ours (fit/curves.hpp)
  paper,   // the four curves of ScalaExtrap (fit/scalaextrap.hpp), one histogram for all ranks
  none     // no times
};

// The fields of a histogram with so many bins: the mean of all, then of each bin its mean, minimum,
// maximum and deviation [ns]. How many executions a bin has is a share of all.
struct HistogramFields {
  enum class OfBin : std::uint8_t { mean, min, max, deviation };

  static constexpr std::size_t kMean = 0;
  static constexpr std::size_t kOfBin = 4;

  static std::size_t count(std::size_t bins) { return 1 + kOfBin * bins; }
  static std::size_t index(std::size_t bin, OfBin field) {
    return 1 + kOfBin * bin + static_cast<std::size_t>(field);
  }
};

struct TimeLaw {
  Delta delta;
  // The fields, over the number of ranks and declared parameters, and the means of what the call
  // moves where those differ from run to run (call_sizes.hpp).
  fit::CurveSamples measured;
  fit::CurveFit fit;           // a curve for each field
  std::vector<double> shares;  // [bins] of all executions, of sum 1
  RankProfile profile;
  std::uint64_t order = 0;  // which ranks get which of what the profile leaves over
  double concordance = 0;
  // Groups of executions, each with a law of its own, and the pattern by which they come.
  std::vector<TimeLaw> modes;
  trace::Series mode_of;

  // All fields at a point [ns], in order: bins ascend, and each lies within its range.
  std::vector<double> fields_at(std::span<const double> point) const;
};

// `parts` of the ranks, by run; `points` of the runs.
struct RunsOfTimes {
  std::vector<std::string> variables;
  std::vector<std::vector<double>> points;        // [runs x variables]
  std::vector<std::vector<Part>> parts;           // [runs x ranks]
  std::vector<std::vector<CallSize>> sizes = {};  // [runs x sites]; empty: not known
};

// Fits the law, and those of its modes, anew over the variables of all laws alone: for where the
// means of calls are not known.
void drop_measures(TimeLaw& law);

// The point of a law: with the means of its call site behind the variables of all laws if it
// follows them.
std::vector<double> point_of(const TimeLaw& law, std::span<const double> point,
                             const CallSize& size);

// REQUIRES: a run that has the delta; not TimeModel::none.
TimeLaw fit_times(const DeltaSamples& samples, const RunsOfTimes& runs, TimeModel model);

}  // namespace reprise::extrapolate
