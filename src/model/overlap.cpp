#include "model/overlap.hpp"

#include <algorithm>
#include <cmath>

#include "model/model.hpp"

namespace reprise::model {
namespace {

constexpr simulate::Picoseconds kLatency = 1'000'000'000;  // that takes far longer than overheads
constexpr double kPerByte = 1e6;                           // [ps]

Result<simulate::Outcome> run(const trace::Trace& trace, const simulate::Machine& machine,
                              const simulate::Wire& wire, simulate::Compute compute) {
  simulate::Options options;
  options.compute = compute;
  auto out = simulate::simulate(trace, with_network(machine, wire), options);
  if (out && !out->blocked.empty()) return Error{std::string(kDeadlock)};
  return out;
}

fit::ScalingLawFit nothing_from(double ranks) {
  return {{{fit::ScalingTerm::one}, {0}, 0, ranks}, {}};
}
bool is_nothing(const fit::ScalingLaw& law) {
  return law.terms == std::vector{fit::ScalingTerm::one} && law.coefficients.front() == 0;
}

std::optional<fit::ScalingLawFit> law_of(const Sizes& sizes, double PathCounts::*which) {
  std::vector<fit::ScalingSample> samples;
  bool is_nothing = true;
  for (const OneSize* s : sizes) {
    samples.push_back({static_cast<double>(s->ranks), s->alone.*which});
    is_nothing &= s->alone.*which == 0;
  }
  if (is_nothing && !samples.empty()) return nothing_from(samples.front().ranks);
  return fit::fit_scaling_law(samples);
}

// The planes of a size upon what is to be had alone elsewhere.
double put_upon(const OneSize& s, const PathCounts& there, const Point& p) {
  const double a = there.computation / p.cpu_ratio, b = there.latencies * p.latency,
               c = there.bytes * p.inverse_bandwidth;
  const auto share = [](double part, double whole) { return whole > 0 ? part / whole : 0; };
  double out = std::max({a, b, c});
  for (const Sample& t : s.tangents) {
    out =
        std::max(out, share(t.alpha, s.alone.computation) * a +
                          share(t.beta, s.alone.latencies) * b + share(t.gamma, s.alone.bytes) * c);
  }
  return out;
}

double between_sizes(const Sizes& sizes, const PathCounts& there, double ranks, const Point& p) {
  const auto above = std::ranges::find_if(
      sizes, [&](const OneSize* s) { return static_cast<double>(s->ranks) >= ranks; });
  if (above == sizes.begin()) return put_upon(*sizes.front(), there, p);
  if (above == sizes.end()) return put_upon(*sizes.back(), there, p);
  const OneSize &low = **(above - 1), &high = **above;
  const auto log_of = [](const OneSize& s) { return std::log(static_cast<double>(s.ranks)); };
  const double share = (std::log(ranks) - log_of(low)) / (log_of(high) - log_of(low));
  return (1 - share) * put_upon(low, there, p) + share * put_upon(high, there, p);
}

struct Bounds {
  double value, low, high;
};

Bounds bounds_of(const fit::ScalingLawFit& fit, double ranks) {
  Bounds out{fit.law.at(ranks), 0, 0};
  out.low = out.high = out.value;
  for (const fit::ScalingLaw& rival : fit.rivals) {
    const double v = std::max(0.0, rival.at(ranks));
    out.low = std::min(out.low, v);
    out.high = std::max(out.high, v);
  }
  return out;
}

}  // namespace

double PathLaws::from() const {
  return std::max({computation.law.from, latencies.law.from, bytes.law.from});
}

Result<PathCounts> count_path(const trace::Trace& trace, const simulate::Machine& machine) {
  const auto computation = run(trace, machine, {0, 0}, simulate::Compute::mean);
  if (!computation) return computation.error();
  const auto latencies = run(trace, machine, {kLatency, 0}, simulate::Compute::none);
  if (!latencies) return latencies.error();
  const auto bytes = run(trace, machine, {0, kPerByte}, simulate::Compute::none);
  if (!bytes) return bytes.error();
  const auto rest = run(trace, machine, {0, 0}, simulate::Compute::none);
  if (!rest) return rest.error();
  return PathCounts{.computation = static_cast<double>(computation->end.time) * 1e-12,
                    .latencies = static_cast<double>(latencies->end.latencies),
                    .bytes = static_cast<double>(bytes->end.bytes),
                    .rest = static_cast<double>(rest->end.time) * 1e-12};
}

std::optional<PathLaws> laws_of(const Sizes& sizes) {
  if (sizes.size() < fit::kLeastForScalingLaw) return std::nullopt;
  auto computation = law_of(sizes, &PathCounts::computation);
  auto latencies = law_of(sizes, &PathCounts::latencies);
  auto bytes = law_of(sizes, &PathCounts::bytes);
  if (!computation || !latencies || !bytes) return std::nullopt;
  return PathLaws{std::move(*computation), std::move(*latencies), std::move(*bytes)};
}

bool holds_at(const PathLaws& laws, double ranks) {
  const auto holds = [&](const fit::ScalingLawFit& fit) {
    return is_nothing(fit.law) || fit.law.at(ranks) > 0;
  };
  return holds(laws.computation) && holds(laws.latencies) && holds(laws.bytes);
}

std::optional<Interval> time_by_laws(const PathLaws& laws, const Sizes& sizes, double ranks,
                                     const Point& point) {
  if (!holds_at(laws, ranks)) return std::nullopt;
  const Bounds a = bounds_of(laws.computation, ranks), b = bounds_of(laws.latencies, ranks),
               c = bounds_of(laws.bytes, ranks);
  // What the laws do not hold for overlaps otherwise, too.
  Sizes held;
  for (const OneSize* s : sizes) {
    if (static_cast<double>(s->ranks) >= laws.from()) held.push_back(s);
  }
  const auto time = [&](double Bounds::*which) {
    return between_sizes(held, {a.*which, b.*which, c.*which}, ranks, point);
  };
  return Interval{time(&Bounds::value), time(&Bounds::low), time(&Bounds::high)};
}

std::optional<double> error_by_laws(const PathLaws& laws, const Sizes& sizes, double ranks) {
  const auto ranks_of = [](const OneSize* s) { return static_cast<double>(s->ranks); };
  const auto above =
      std::ranges::find_if(sizes, [&](const OneSize* s) { return ranks_of(s) >= ranks; });
  std::optional<double> error;
  const auto also = [&](const OneSize* s) {
    if (s->left_out_error) error = std::max(error.value_or(0), *s->left_out_error);
  };
  if (above != sizes.begin()) also(*(above - 1));
  if (above != sizes.end()) also(*above);
  if (!error) return std::nullopt;
  const double least =
      std::max({laws.computation.law.error, laws.latencies.law.error, laws.bytes.law.error});
  error = std::max(*error, least);
  if (above != sizes.end()) return error;
  const double step = std::log(ranks_of(sizes.back()) / ranks_of(sizes[sizes.size() - 2]));
  return *error * std::max(1.0, std::log(ranks / ranks_of(sizes.back())) / step);
}

}  // namespace reprise::model
