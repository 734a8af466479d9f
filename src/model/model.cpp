#include "model/model.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "simulate/compute_times.hpp"

namespace reprise::model {
namespace {

constexpr double kSecondsPerPicosecond = 1e-12;

double relative(double predicted, double actual) {
  return actual > 0 ? std::abs(predicted - actual) / actual : 0;
}

// Errors count by their share of the time, so that small times count as much as large ones.
Plane plane_of(const std::vector<Sample>& samples, const std::vector<Sample>& fresh) {
  std::vector<std::vector<double>> rows;
  std::vector<double> y, weights;
  for (const Sample& s : samples) {
    rows.push_back({1, s.latency, s.inverse_bandwidth});
    y.push_back(s.time);
    weights.push_back(s.time > 0 ? 1 / (s.time * s.time) : 0);
  }
  const Regression r = regress(rows, y, weights);
  Plane out{r.coefficients[0], r.coefficients[1], r.coefficients[2], r.r_squared, 0};
  for (const Sample& s : fresh) {
    out.largest_error =
        std::max(out.largest_error, relative(out.at(s.latency, s.inverse_bandwidth), s.time));
  }
  return out;
}

std::vector<Region> regions_of(const std::vector<Sample>& samples) {
  std::map<std::pair<double, double>, Region> by_plane;
  for (const Sample& s : samples) {
    Region& r = by_plane[{s.beta, s.gamma}];
    const double bandwidth = 1 / s.inverse_bandwidth;
    if (r.samples++ == 0) {
      r.plane = s;
      r.latency = {s.latency, s.latency};
      r.bandwidth = {bandwidth, bandwidth};
    }
    r.latency = {std::min(r.latency.low, s.latency), std::max(r.latency.high, s.latency)};
    r.bandwidth = {std::min(r.bandwidth.low, bandwidth), std::max(r.bandwidth.high, bandwidth)};
  }
  std::vector<Region> out;
  for (auto& [key, region] : by_plane) out.push_back(region);
  std::ranges::stable_sort(out,
                           [](const Region& a, const Region& b) { return a.samples > b.samples; });
  return out;
}

double greatest(const std::vector<Sample>& tangents, double latency, double inverse) {
  double out = 0;
  for (const Sample& s : tangents) out = std::max(out, s.at(latency, inverse));
  return out;
}

double computation_of(const trace::Trace& trace) {
  const simulate::ComputeTimes times(trace, simulate::Compute::mean, 1);
  double sum = 0;
  for (std::uint64_t s = 0; s < trace.streams(); ++s)
    sum += static_cast<double>(times.total(s)) * kSecondsPerPicosecond;
  return sum;
}

Status measure(const trace::Trace& trace, const simulate::Machine& machine,
               const SamplingOptions& options, OneSize& out) {
  std::vector<Sample> samples = draw(options);
  SamplingOptions others = options;
  others.seed = options.seed + 1000;
  others.latin_hypercube = false;
  std::vector<Sample> fresh = draw(others);
  for (auto* points : {&samples, &fresh}) {
    if (Status ok = simulate_at(trace, machine, options, *points); !ok) return ok;
  }
  out.plane = plane_of(samples, fresh);
  out.regions = regions_of(samples);
  for (const Region& r : out.regions) out.tangents.push_back(r.plane);
  for (const Sample& s : fresh) {
    const double by = greatest(out.tangents, s.latency, s.inverse_bandwidth);
    out.tangents_error = std::max(out.tangents_error, relative(by, s.time));
  }
  simulate::Machine corrected = machine;
  corrected.cpu_ratio *= out.locality;
  for (auto* points : {&samples, &fresh}) {
    if (Status ok = simulate_at(trace, corrected, options, *points); !ok) return ok;
  }
  out.corrected = plane_of(samples, fresh);
  return {};
}

// constant + slope x term. One size: a constant.
OverRanks over_ranks(const Model& model, Coefficient Plane::*which, bool inverse) {
  std::vector<std::vector<double>> rows;
  std::vector<double> y;
  for (const OneSize& s : model.sizes) {
    const auto p = static_cast<double>(s.ranks);
    rows.push_back({1, inverse ? 1 / p : p});
    y.push_back((s.corrected.*which).value);
  }
  const std::vector<double> weights(y.size(), 1);
  if (rows.size() < 2) return {{y[0], 0, true, 0}, {0, 0, false, 0}};
  const Regression r = regress(rows, y, weights);
  OverRanks out{r.coefficients[0], r.coefficients[1]};
  // What has no significant slope is constant, and what has no significant constant goes through 0.
  const auto alone = [&](std::size_t column) {
    std::vector<std::vector<double>> one;
    for (const auto& row : rows) one.push_back({row[column]});
    return regress(one, y, weights).coefficients[0];
  };
  if (inverse || r.freedom == 0) return out;
  if (!out.slope.is_significant) {
    out.constant = alone(0);
    out.slope = {0, out.slope.error, false, 0};
  } else if (!out.constant.is_significant) {
    out.slope = alone(1);
    out.constant = {0, out.constant.error, false, 0};
  }
  return out;
}

double value_at(const OverRanks& law, double term) {
  return law.constant.value + law.slope.value * term;
}

}  // namespace

double time_at(const Model& m, double ranks, double latency, double bandwidth, double locality) {
  return value_at(m.alpha, 1 / ranks) * locality + value_at(m.beta, ranks) * latency +
         value_at(m.gamma, ranks) / bandwidth;
}

Result<Model> make_model(const std::vector<std::pair<std::string, const trace::Trace*>>& traces,
                         const simulate::Machine& machine, const SamplingOptions& options) {
  Model out;
  out.latency = options.latency;
  out.bandwidth = options.bandwidth;
  std::vector<std::pair<std::string, const trace::Trace*>> sorted = traces;
  std::ranges::sort(sorted, {}, [](const auto& t) { return t.second->ranks; });
  for (const auto& [file, trace] : sorted) {
    OneSize& size = out.sizes.emplace_back();
    size.ranks = trace->ranks;
    size.file = file;
    size.computation = computation_of(*trace);
    const double reference = out.sizes.front().computation;
    if (reference > 0) size.locality = size.computation / reference;
    if (!(size.locality > 0))
      return Error{
          file +
          " computes nothing, other traces do (LocalityFactor would be 0); record it with times"};
    if (Status ok = measure(*trace, machine, options, size); !ok)
      return Error{file + " cannot be simulated: " + ok.error().message};
  }
  out.alpha = over_ranks(out, &Plane::alpha, true);
  out.beta = over_ranks(out, &Plane::beta, false);
  out.gamma = over_ranks(out, &Plane::gamma, false);
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    SamplingOptions fresh = options;
    fresh.seed = options.seed + 2000;
    std::vector<Sample> points = draw(fresh);
    if (Status ok = simulate_at(*sorted[i].second, machine, options, points); !ok)
      return ok.error();
    OneSize& size = out.sizes[i];
    for (const Sample& s : points) {
      const double by = time_at(out, static_cast<double>(size.ranks), s.latency,
                                1 / s.inverse_bandwidth, size.locality);
      size.predicted_error = std::max(size.predicted_error, relative(by, s.time));
    }
  }
  return out;
}

fit::Estimate locality_at(const Model& model, double ranks) {
  for (const OneSize& s : model.sizes) {
    if (static_cast<double>(s.ranks) == ranks) return {s.locality, s.locality, s.locality};
  }
  fit::CurveSamples samples{.variables = {"ranks"}, .points = {}, .fields = {{}}};
  for (const OneSize& s : model.sizes) {
    samples.points.push_back({static_cast<double>(s.ranks)});
    samples.fields[0].push_back({s.locality});
  }
  const std::vector<double> point{ranks};
  const fit::CurveFit fit = fit::fit_curves(samples);
  return fit::predict(samples, fit, point).front();
}

Prediction predict(const Model& m, double ranks, double latency, double bandwidth) {
  Prediction out;
  const fit::Estimate locality = locality_at(m, ranks);
  out.locality = locality.value;
  out.locality_is_fitted = true;
  double error = 0;
  for (const OneSize& s : m.sizes) {
    error = std::max(error, s.predicted_error);
    if (static_cast<double>(s.ranks) != ranks) continue;
    out.locality_is_fitted = false;
    out.tangents = greatest(s.tangents, latency, 1 / bandwidth);
  }
  out.time = time_at(m, ranks, latency, bandwidth, locality.value);
  // What the laws over P leave open, and the factor; at least the error that fresh samples had.
  const double alpha_margin = m.alpha.constant.margin + m.alpha.slope.margin / ranks;
  const double margin = alpha_margin * locality.value +
                        (m.beta.constant.margin + m.beta.slope.margin * ranks) * latency +
                        (m.gamma.constant.margin + m.gamma.slope.margin * ranks) / bandwidth;
  const double known = std::max(error * out.time, out.locality_is_fitted ? margin : 0);
  const double alpha = value_at(m.alpha, 1 / ranks);
  out.low = std::max(0.0, out.time - known - alpha * (locality.value - locality.low));
  out.high = out.time + known + alpha * (locality.high - locality.value);
  return out;
}

}  // namespace reprise::model
