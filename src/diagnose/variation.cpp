#include "diagnose/variation.hpp"

#include <algorithm>
#include <cmath>

namespace reprise::diagnose {
namespace {

// Calls that are simulated one by one: some seconds.
constexpr std::uint64_t kMostDrawn = 20'000'000;
constexpr std::size_t kMostVarying = 3;

double spread_of(const trace::DeltaTimes& times) {
  double out = 0;
  for (const trace::Histogram& h : times.classes) {
    const trace::Bin all = h.total();
    out += static_cast<double>(all.count) * all.deviation();
  }
  return out;
}

// By how much the executions of a call deviate from the mean of their ranks, by at most, all
// together [ns].
double spread_before(const trace::CallTimes& times) {
  double out = 0;
  for (const trace::Path& path : times.paths) {
    if (path.modes.empty()) out += spread_of(path.compute);
    for (const trace::DeltaTimes& mode : path.modes) out += spread_of(mode);
  }
  return out;
}

struct Place {
  std::uint32_t call = kNowhere;
  double spread = 0;  // [ns]
};

// Those with most of it first.
std::vector<Place> places_of(const trace::Trace& trace) {
  std::vector<Place> out;
  for (std::uint32_t c = 0; c < trace.times.size(); ++c) {
    if (const double spread = spread_before(trace.times[c]); spread > 0) out.push_back({c, spread});
  }
  std::ranges::stable_sort(out, std::ranges::greater(), &Place::spread);
  return out;
}

// What all of it may cost: in each step the slowest of many ranks, each a few deviations late.
bool may_matter(const Experiment& experiment, const std::vector<Place>& places) {
  const auto streams = static_cast<double>(experiment.trace().streams());
  double spread = 0;
  for (const Place& p : places) spread += p.spread / streams;
  const double deviations = std::sqrt(2 * std::log(streams)) + 1;
  return spread * deviations * simulate::kPicosecondsPerNanosecond >=
         static_cast<double>(experiment.least());
}

// How the executions of a call differ, on the ranks that most of those fall to that vary.
std::vector<analyze::TimeGroup> executions_before(const trace::Trace& trace, std::uint32_t call) {
  const trace::Histogram* widest = nullptr;
  double most = 0;
  for (const trace::Path& path : trace.times[call].paths) {
    for (const trace::Histogram& h : path.compute.classes) {
      const trace::Bin all = h.total();
      const double spread = static_cast<double>(all.count) * all.deviation();
      if (spread <= most) continue;
      most = spread;
      widest = &h;
    }
  }
  return widest ? analyze::groups_of_executions(*widest) : std::vector<analyze::TimeGroup>();
}

}  // namespace

Result<std::optional<Variation>> variation_of(const Experiment& experiment) {
  const std::vector<Place> places = places_of(experiment.trace());
  if (experiment.run().calls > kMostDrawn || !may_matter(experiment, places))
    return std::optional<Variation>();
  const auto all = experiment.time_drawn({});
  if (!all) return all.error();
  Variation out{.time = *all, .call = kNowhere, .costs_alone = 0};
  for (std::size_t i = 0; i < std::min(places.size(), kMostVarying); ++i) {
    const auto alone = experiment.time_drawn(places[i].call);
    if (!alone) return alone.error();
    const Picoseconds costs = *alone - experiment.run().end.time;
    if (out.call != kNowhere && costs <= out.costs_alone) continue;
    out.call = places[i].call;
    out.costs_alone = costs;
  }
  out.executions = executions_before(experiment.trace(), out.call);
  return std::optional(out);
}

void find_variation(const Experiment& experiment, const Variation& variation,
                    std::vector<Finding>& out) {
  const Picoseconds cost = variation.time - experiment.run().end.time;
  if (cost < experiment.least()) return;
  out.push_back({.kind = FindingKind::variation,
                 .call = variation.call,
                 .ranks = experiment.ranks_at(variation.call),
                 .cost = cost,
                 .excess = variation.costs_alone,
                 .executions = variation.executions});
}

}  // namespace reprise::diagnose
