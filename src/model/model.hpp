// The time of a program as a formula: T(P, L, BW) = alpha(P) + beta(P) L + gamma(P) / BW.
//
// Source: the Dimemas linear models (Euro-Par 2004), sections 2.1 and 2.2: for each number of
// ranks, a plane is fitted to simulated times. What better caches do to computation is taken out
// first: the LocalityFactor(P) is all computation at P over that at the smallest P, and with
// computation divided by it, alpha'(P) = alpha'_0 + alpha'_1 / P. Beside it stand two models of
// ours. `tangents`, for a P with a trace: for fixed matching the time is piecewise linear and
// convex in (L, 1 / BW), so the greatest of the planes that touch it at the samples is never above
// it, and close wherever samples are. And laws over P of what stands alone (overlap.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fit/curves.hpp"
#include "model/overlap.hpp"
#include "model/regression.hpp"
#include "model/samples.hpp"

namespace reprise::model {

struct Plane {
  Coefficient alpha;  // [s]
  Coefficient beta;   // latencies
  Coefficient gamma;  // bytes
  double r_squared = 1;
  double largest_error = 0;  // relative, on fresh samples; of what is corrected, on its own

  double at(const Point& p) const {
    return alpha.value / p.cpu_ratio + beta.value * p.latency + gamma.value * p.inverse_bandwidth;
  }
};

// Where the time is one plane: samples with one critical path.
struct Region {
  Sample plane;  // alpha, beta and gamma of it
  std::size_t samples = 0;
  Range latency, bandwidth;  // of those samples
};

struct OneSize {
  std::uint64_t ranks = 0;
  std::string file;
  double computation = 0;  // of all ranks [s]
  double locality = 1;
  Plane plane;                   // alpha, beta, gamma
  Plane corrected;               // alpha', beta', gamma'
  std::vector<Sample> tangents;  // distinct planes, without correction
  double tangents_error = 0;     // largest relative one, on fresh samples
  std::vector<Region> regions;   // the most frequent first
  PathCounts alone;
  // The largest relative errors on fresh samples: of the paper's model over P; the same where this
  // trace is left out of it; and of ours, where it is left out.
  double predicted_error = 0;
  std::optional<double> predicted_error_left_out, left_out_error;
};

// constant + slope / P for alpha', constant + slope x P for the others.
struct OverRanks {
  Coefficient constant, slope;
};

struct Model {
  std::vector<OneSize> sizes;           // ascending in ranks
  OverRanks alpha, beta, gamma;         // the paper's
  std::optional<PathLaws> laws;         // ours; nothing: too few traces, or what follows no law
  Range latency, bandwidth, cpu_ratio;  // that samples were drawn from
};

// REQUIRES: a trace at least, each with another number of ranks.
Result<Model> make_model(const std::vector<std::pair<std::string, const trace::Trace*>>& traces,
                         const simulate::Machine& machine, const SamplingOptions& options);

// Intervals are of 95 %, as far as errors are known.
struct Prediction {
  Interval paper;
  std::optional<Interval> ours;   // nothing: no trace has so many ranks, and no laws hold there
  bool ours_is_of_trace = false;  // by the tangents of one; else by laws
  double locality = 1;
  bool locality_is_fitted = false;  // no trace has this number of ranks

  // Whether ours has the narrower interval, or the paper's none: its planes may fall below zero.
  bool is_ours_better() const {
    return ours && (!(paper.time > 0) || ours->high - ours->low <= paper.high - paper.low);
  }
  const Interval& better() const { return is_ours_better() ? *ours : paper; }
};
Prediction predict(const Model& model, double ranks, const Point& point);

// By the paper's model without the interval: cheap.
double time_at(const Model& model, double ranks, const Point& point, double locality);
// The factor at a number of ranks: a trace's own, or fitted over all.
fit::Estimate locality_at(const Model& model, double ranks);
// Whether alpha is of computation alone. Else no CPU ratio but that of the samples is exact.
bool is_alpha_computation(const Model& model);
// The sizes in order, for overlap.hpp.
Sizes sizes_of(const Model& model);

}  // namespace reprise::model
