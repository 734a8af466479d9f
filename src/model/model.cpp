#include "model/model.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "simulate/lower/compute_times.hpp"

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
    rows.push_back({1 / s.cpu_ratio, s.latency, s.inverse_bandwidth});
    y.push_back(s.time);
    weights.push_back(s.time > 0 ? 1 / (s.time * s.time) : 0);
  }
  const Regression r = regress(rows, y, weights);
  Plane out{r.coefficients[0], r.coefficients[1], r.coefficients[2], r.r_squared, 0};
  for (const Sample& s : fresh)
    out.largest_error = std::max(out.largest_error, relative(out.at(s), s.time));
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

double greatest(const std::vector<Sample>& tangents, const Point& point) {
  double out = 0;
  for (const Sample& s : tangents) out = std::max(out, s.at(point));
  return out;
}

double computation_of(const trace::Trace& trace) {
  const simulate::ComputeTimes times(trace, simulate::Compute::mean, 1);
  double sum = 0;
  for (std::uint64_t s = 0; s < trace.streams(); ++s)
    sum += static_cast<double>(times.total(s)) * kSecondsPerPicosecond;
  return sum;
}

// Fits a size by itself. `fresh` becomes samples that nothing is fitted to.
Status measure(const trace::Trace& trace, const simulate::Machine& machine,
               const SamplingOptions& options, OneSize& out, std::vector<Sample>& fresh) {
  std::vector<Sample> samples = draw(options);
  SamplingOptions others = options;
  others.seed = options.seed + 1000;
  others.latin_hypercube = false;
  fresh = draw(others);
  for (auto* points : {&samples, &fresh}) {
    if (Status ok = simulate_at(trace, machine, options, *points); !ok) return ok;
  }
  out.plane = plane_of(samples, fresh);
  out.regions = regions_of(samples);
  for (const Region& r : out.regions) out.tangents.push_back(r.plane);
  for (const Sample& s : fresh)
    out.tangents_error = std::max(out.tangents_error, relative(greatest(out.tangents, s), s.time));
  simulate::Machine corrected = machine;
  corrected.cpu_ratio *= out.locality;
  if (Status ok = simulate_at(trace, corrected, options, samples); !ok) return ok;
  out.corrected = plane_of(samples, samples);
  auto alone = count_path(trace, machine);
  if (!alone) return alone.error();
  out.alone = *alone;
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

// Both models over P, from its sizes.
void fit_over_ranks(Model& m) {
  m.alpha = over_ranks(m, &Plane::alpha, true);
  m.beta = over_ranks(m, &Plane::beta, false);
  m.gamma = over_ranks(m, &Plane::gamma, false);
  m.laws = laws_of(sizes_of(m));
}

// What both models say of a size without having seen it.
void leave_out(Model& m, std::size_t which, const std::vector<Sample>& fresh) {
  Model others = m;
  others.sizes.erase(others.sizes.begin() + static_cast<std::ptrdiff_t>(which));
  if (others.sizes.size() < 2) return;
  fit_over_ranks(others);
  OneSize& size = m.sizes[which];
  const auto ranks = static_cast<double>(size.ranks);
  const double locality = locality_at(others, ranks).value;
  const auto largest = [&](auto&& time) {
    double error = 0;
    for (const Sample& s : fresh) error = std::max(error, relative(time(s), s.time));
    return error;
  };
  size.predicted_error_left_out =
      largest([&](const Sample& s) { return time_at(others, ranks, s, locality); });
  if (!others.laws) return;
  const Sizes sizes = sizes_of(others);
  if (!holds_at(*others.laws, ranks)) return;
  size.left_out_error =
      largest([&](const Sample& s) { return time_by_laws(*others.laws, sizes, ranks, s)->time; });
}

}  // namespace

Sizes sizes_of(const Model& model) {
  Sizes out;
  for (const OneSize& s : model.sizes) out.push_back(&s);
  return out;
}

bool is_alpha_computation(const Model& m) {
  return std::ranges::all_of(m.sizes, [](const OneSize& s) { return s.alone.rest == 0; });
}

double time_at(const Model& m, double ranks, const Point& point, double locality) {
  return value_at(m.alpha, 1 / ranks) * locality / point.cpu_ratio +
         value_at(m.beta, ranks) * point.latency +
         value_at(m.gamma, ranks) * point.inverse_bandwidth;
}

Result<Model> make_model(const std::vector<std::pair<std::string, const trace::Trace*>>& traces,
                         const simulate::Machine& machine, const SamplingOptions& options) {
  Model out;
  out.latency = options.latency;
  out.bandwidth = options.bandwidth;
  out.cpu_ratio = options.cpu_ratio;
  std::vector<std::pair<std::string, const trace::Trace*>> sorted = traces;
  std::ranges::sort(sorted, {}, [](const auto& t) { return t.second->ranks; });
  std::vector<std::vector<Sample>> fresh(sorted.size());
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
    if (Status ok = measure(*trace, machine, options, size, fresh[out.sizes.size() - 1]); !ok)
      return Error{file + " cannot be simulated: " + ok.error().message};
  }
  fit_over_ranks(out);
  for (std::size_t i = 0; i < out.sizes.size(); ++i) {
    OneSize& size = out.sizes[i];
    for (const Sample& s : fresh[i]) {
      const double by = time_at(out, static_cast<double>(size.ranks), s, size.locality);
      size.predicted_error = std::max(size.predicted_error, relative(by, s.time));
    }
    leave_out(out, i, fresh[i]);
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

namespace {

// Laws that nothing was held against say little: a factor of two.
constexpr double kUnknown = 0.5;

// A time that was predicted with a relative error of the truth: between which the truth is.
Interval around(Interval of, double error) {
  constexpr double kMost = 0.9;  // beyond, nothing bounds the truth but a power of ten
  of.low = std::min(of.low, of.time / (1 + error));
  of.high = std::max(of.high, of.time / (1 - std::min(error, kMost)));
  return of;
}

// What the laws over P leave open, and the factor; at least the error that fresh samples had, and
// where no trace is, that of those which were left out.
Interval by_paper(const Model& m, double ranks, const Point& p, const fit::Estimate& locality,
                  bool has_trace) {
  Interval out;
  double error = 0;
  for (const OneSize& s : m.sizes) {
    error = std::max(error, s.predicted_error);
    if (!has_trace) error = std::max(error, s.predicted_error_left_out.value_or(kUnknown));
  }
  out.time = time_at(m, ranks, p, locality.value);
  const double alpha_margin = m.alpha.constant.margin + m.alpha.slope.margin / ranks;
  const double of_laws =
      alpha_margin * locality.value / p.cpu_ratio +
      (m.beta.constant.margin + m.beta.slope.margin * ranks) * p.latency +
      (m.gamma.constant.margin + m.gamma.slope.margin * ranks) * p.inverse_bandwidth;
  const double margin = has_trace ? 0 : of_laws;
  const double alpha = value_at(m.alpha, 1 / ranks) / p.cpu_ratio;
  out.low = std::max(0.0, out.time - margin - alpha * (locality.value - locality.low));
  out.high = out.time + margin + alpha * (locality.high - locality.value);
  return around(out, error);
}

}  // namespace

Prediction predict(const Model& m, double ranks, const Point& point) {
  Prediction out;
  const fit::Estimate locality = locality_at(m, ranks);
  out.locality = locality.value;
  for (const OneSize& s : m.sizes) {
    if (static_cast<double>(s.ranks) != ranks) continue;
    const double time = greatest(s.tangents, point);
    out.ours = around({time, time, time}, s.tangents_error);
    out.ours_is_of_trace = true;
  }
  out.locality_is_fitted = !out.ours_is_of_trace;
  out.paper = by_paper(m, ranks, point, locality, out.ours_is_of_trace);
  if (out.ours || !m.laws) return out;
  const Sizes sizes = sizes_of(m);
  const auto error = error_by_laws(*m.laws, sizes, ranks);
  const auto by_laws = time_by_laws(*m.laws, sizes, ranks, point);
  if (by_laws) out.ours = around(*by_laws, error.value_or(kUnknown));
  return out;
}

}  // namespace reprise::model
