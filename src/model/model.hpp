// The time of a program as a formula: T(P, L, BW) = alpha(P) + beta(P) L + gamma(P) / BW.
//
// Source: the Dimemas linear models (Euro-Par 2004), sections 2.1 and 2.2: for each number of
// ranks, a plane is fitted to simulated times. What better caches do to computation is taken out
// first: the LocalityFactor(P) is all computation at P over that at the smallest P, and with
// computation divided by it, alpha'(P) = alpha'_0 + alpha'_1 / P. Beside it stands a model of ours,
// `tangents`: for fixed matching the time is piecewise linear and convex in (L, 1 / BW), so the
// greatest of the planes that touch it at the samples is never above it, and close wherever samples
// are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fit/curves.hpp"
#include "model/regression.hpp"
#include "model/samples.hpp"

namespace reprise::model {

struct Plane {
  Coefficient alpha;  // [s]
  Coefficient beta;   // latencies
  Coefficient gamma;  // bytes
  double r_squared = 1;
  double largest_error = 0;  // relative, on fresh samples

  double at(double latency, double inverse_bandwidth) const {
    return alpha.value + beta.value * latency + gamma.value * inverse_bandwidth;
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
  double predicted_error = 0;    // of the model over P, relative, the largest on fresh samples
};

// constant + slope / P for alpha', constant + slope x P for the others.
struct OverRanks {
  Coefficient constant, slope;
};

struct Model {
  std::vector<OneSize> sizes;  // ascending in ranks
  OverRanks alpha, beta, gamma;
  Range latency, bandwidth;  // that samples were drawn from
};

// REQUIRES: a trace at least, each with another number of ranks.
Result<Model> make_model(const std::vector<std::pair<std::string, const trace::Trace*>>& traces,
                         const simulate::Machine& machine, const SamplingOptions& options);

struct Prediction {
  double time = 0, low = 0,
         high = 0;  // [s]; the interval is one of 95 %, as far as errors are known
  double locality = 1;
  bool locality_is_fitted = false;  // no trace has this number of ranks
  double tangents = 0;              // by the other model; 0: none for this number of ranks
};
Prediction predict(const Model& model, double ranks, double latency, double bandwidth);

// The same without the interval: cheap.
double time_at(const Model& model, double ranks, double latency, double bandwidth, double locality);
// The factor at a number of ranks: a trace's own, or fitted over all.
fit::Estimate locality_at(const Model& model, double ranks);

}  // namespace reprise::model
