#include "diagnose/iterations.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "analyze/totals/executions.hpp"

namespace reprise::diagnose {
namespace {

constexpr std::size_t kMostLoopsTried = 5;
// A loop with less of the time than this is not the main one.
constexpr double kMain = 0.5;
// Executions that are looked at of each stream, in four quarters.
constexpr std::uint64_t kSamples = 256;
// The last quarter takes this much longer than the first, at least, or shorter.
constexpr double kNotable = 1.1;

void collect(const trace::Item& item, std::vector<std::uint32_t>& calls) {
  if (item.is_call()) calls.push_back(item.call);
  for (const trace::Item& inner : item.body) collect(inner, calls);
}

double time_of(const trace::Trace& trace, const std::vector<std::uint32_t>& calls) {
  double ns = 0;
  for (const std::uint32_t c : calls) {
    const trace::CallTimes& times = trace.times[c];
    ns += static_cast<double>(times.communicate.total().sum);
    for (const trace::Path& path : times.paths) ns += static_cast<double>(path.compute.total().sum);
  }
  return ns;
}

// The loops that are in no other one.
void visit_outermost_loops(const trace::Trace& trace, const trace::Item& item,
                           analyze::Executions& executions,
                           const std::function<void(const trace::Item&, std::uint64_t)>& visit) {
  for (const trace::Item& inner : item.body) {
    if (inner.is_call()) continue;
    const std::int64_t trips = analyze::trip_bounds(trace, inner, executions).max;
    if (trips >= 2) {
      visit(inner, static_cast<std::uint64_t>(trips));
    } else {
      visit_outermost_loops(trace, inner, executions, visit);
    }
  }
}

// A line through the times of executions on a stream, and its quarters [ns].
struct Trend {
  std::array<double, 4> quarters{};
  double begin = 0;  // of the line
  double mean = 0, least = 0;

  bool is_steady() const {
    const bool rises = std::ranges::is_sorted(quarters, std::ranges::less_equal());
    const bool falls = std::ranges::is_sorted(quarters, std::ranges::greater_equal());
    const double low = std::min(quarters.front(), quarters.back());
    const double high = std::max(quarters.front(), quarters.back());
    return (rises || falls) && high > kNotable * low;
  }
};

std::optional<Trend> trend_of(const trace::Path& path, std::uint64_t stream) {
  const std::uint64_t count = path.compute.count_of(stream);
  const trace::Series* const series = path.mode_of.series_of(stream);
  if (path.modes.empty() || !series || count < 8) return std::nullopt;
  const std::uint64_t samples = std::min(count, kSamples) / 4 * 4;
  std::vector<double> times;
  trace::SeekCursor modes(*series);
  for (std::uint64_t i = 0; i < samples; ++i) {
    modes.seek(i * count / samples);
    const std::int64_t mode = modes.next();
    if (mode < 0 || mode >= std::ssize(path.modes)) return std::nullopt;
    const trace::Histogram* const level =
        path.modes[static_cast<std::size_t>(mode)].class_for(stream);
    if (!level) return std::nullopt;
    times.push_back(level->total().mean());
  }
  Trend out;
  out.least = *std::ranges::min_element(times);
  const auto n = static_cast<double>(samples);
  double slope = 0, spread = 0;
  for (std::uint64_t i = 0; i < samples; ++i) {
    out.quarters[i / (samples / 4)] += times[i] / (n / 4);
    out.mean += times[i] / n;
    const double x = static_cast<double>(i) - (n - 1) / 2;
    slope += x * times[i];
    spread += x * x;
  }
  slope /= spread;
  out.begin = std::max(0.0, out.mean - slope * (n - 1) / 2);
  return out;
}

// The steady trends of one path, by the ranks that have one.
struct Trends {
  Drift drift;
  std::vector<double> factors;  // by stream, that take the trend away; 1: it has none
};

std::optional<Trends> trends_of(const Experiment& experiment, std::uint32_t call) {
  const trace::Trace& trace = experiment.trace();
  Trends out{.drift = {.call = call, .ranks = {}}, .factors = {}};
  double streams = 0;
  for (std::uint64_t s = 0; s < trace.streams(); ++s) {
    double& factor = out.factors.emplace_back(1);
    // Where a call is reached by several paths the busiest counts.
    const trace::Path* busiest = nullptr;
    for (const trace::Path& path : trace.times[call].paths) {
      if (!busiest || path.compute.sum_of(s) > busiest->compute.sum_of(s)) busiest = &path;
    }
    const std::optional<Trend> trend = busiest ? trend_of(*busiest, s) : std::nullopt;
    if (!trend || !trend->is_steady()) continue;
    const double usual = std::min(trend->quarters.front(), trend->quarters.back());
    const bool rises = trend->quarters.front() == usual;
    const double level = rises ? std::min(trend->begin, trend->least)
                               : std::min(2 * trend->mean - trend->begin, trend->least);
    const double of_path = busiest->compute.sum_of(s);
    double of_call = 0;
    for (const trace::Path& path : trace.times[call].paths) of_call += path.compute.sum_of(s);
    factor = 1 - of_path / of_call * (1 - std::max(0.0, level) / trend->mean);
    ++streams;
    out.drift.first += trend->quarters.front();
    out.drift.last += trend->quarters.back();
    out.drift.mean += trend->mean;
    out.drift.least += level;
    const std::uint64_t rank = s / trace.threads;
    if (out.drift.ranks.empty() || out.drift.ranks.back() != rank) out.drift.ranks.push_back(rank);
  }
  if (streams == 0) return std::nullopt;
  for (double* sum : {&out.drift.first, &out.drift.last, &out.drift.mean, &out.drift.least})
    *sum /= streams;
  return out;
}

}  // namespace

std::optional<Iterations> main_loop_of(const trace::Trace& trace) {
  std::vector<std::uint32_t> all;
  collect(trace.root, all);
  const double whole = time_of(trace, all);
  std::optional<Iterations> out;
  analyze::Executions executions(trace);
  visit_outermost_loops(
      trace, trace.root, executions, [&](const trace::Item& loop, std::uint64_t trips) {
        std::vector<std::uint32_t> calls;
        collect(loop, calls);
        const double time = time_of(trace, calls);
        if (time < kMain * whole || time <= 0) return;
        const auto streams = static_cast<double>(trace.streams());
        const double run = std::max(whole, 1e3 * streams * static_cast<double>(trace.duration));
        out = Iterations{.calls = std::move(calls),
                         .trips = trips,
                         .share = time / run,
                         .mean = time / streams / static_cast<double>(trips)};
      });
  return out;
}

Result<std::vector<Drift>> drifts_of(const Experiment& experiment) {
  std::vector<Trends> found;
  if (experiment.trace().times.empty()) return std::vector<Drift>();
  for (std::uint32_t c = 0; c < experiment.trace().calls.size(); ++c) {
    if (experiment.run().accounts.empty()) break;
    if (auto trends = trends_of(experiment, c)) found.push_back(std::move(*trends));
  }
  const auto weight = [&](const Trends& t) {
    Picoseconds most = 0;
    for (const Picoseconds c : experiment.computed(t.drift.call)) most = std::max(most, c);
    return most;
  };
  std::ranges::stable_sort(found, std::ranges::greater(), weight);
  found.resize(std::min(found.size(), kMostLoopsTried));
  std::vector<Drift> out;
  for (Trends& t : found) {
    simulate::Factors factors(experiment.trace().calls.size());
    factors[t.drift.call] = std::move(t.factors);
    const auto saved = experiment.saves(factors);
    if (!saved) return saved.error();
    t.drift.saves = *saved;
    out.push_back(std::move(t.drift));
  }
  return out;
}

void find_drifts(const Experiment& experiment, const std::vector<Drift>& drifts,
                 std::vector<Finding>& out) {
  for (const Drift& d : drifts) {
    if (d.saves < experiment.least()) continue;
    out.push_back({.kind = FindingKind::drift,
                   .call = d.call,
                   .ranks = d.ranks,
                   .cost = d.saves,
                   .cause = d.call,
                   .culprits = d.ranks});
  }
}

}  // namespace reprise::diagnose
