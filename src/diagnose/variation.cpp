#include "diagnose/variation.hpp"

#include <algorithm>
#include <cmath>

#include "diagnose/long_executions.hpp"

namespace reprise::diagnose {
namespace {

// Calls whose variation is simulated by itself, to name one of them.
constexpr std::size_t kMostVarying = 3;

double spread_of(const trace::Histogram& histogram) {
  const trace::Bin all = histogram.total();
  return static_cast<double>(all.count) * all.deviation();
}

// The distributions that computation before a call is drawn from: where there are modes, their own.
template <class Visit>
void visit_distributions(const trace::CallTimes& times, Visit visit) {
  for (const trace::Path& path : times.paths) {
    if (path.modes.empty()) std::ranges::for_each(path.compute.classes, visit);
    for (const trace::DeltaTimes& mode : path.modes) std::ranges::for_each(mode.classes, visit);
  }
}

struct VaryingCall {
  std::uint32_t call = kNowhere;
  double spread = 0;  // the deviations of all executions together [ns]
};

// Those with most of it first.
std::vector<VaryingCall> varying_calls(const trace::Trace& trace) {
  std::vector<VaryingCall> out;
  for (std::uint32_t c = 0; c < trace.times.size(); ++c) {
    double spread = 0;
    visit_distributions(trace.times[c], [&](const trace::Histogram& h) { spread += spread_of(h); });
    if (spread > 0) out.push_back({c, spread});
  }
  std::ranges::stable_sort(out, std::ranges::greater(), &VaryingCall::spread);
  return out;
}

// Whether all of it together may cost enough: the greatest of n values is at most sqrt(n - 1)
// deviations above their mean (Samuelson 1968).
bool may_matter(const Experiment& experiment, const std::vector<VaryingCall>& calls) {
  double most = 0;  // [ns]
  for (const VaryingCall& v : calls) {
    double streams = 0;
    for (std::uint64_t s = 0; s < experiment.trace().streams(); ++s)
      streams += experiment.executes(s, v.call) ? 1 : 0;
    if (streams > 0) most += v.spread / std::sqrt(streams);
  }
  return most * simulate::kPicosecondsPerNanosecond >= static_cast<double>(experiment.least());
}

// How the executions of the widest distribution before a call differ.
std::vector<analyze::TimeGroup> executions_before(const trace::Trace& trace, std::uint32_t call) {
  const trace::Histogram* widest = nullptr;
  visit_distributions(trace.times[call], [&](const trace::Histogram& h) {
    if (!widest || spread_of(h) > spread_of(*widest)) widest = &h;
  });
  if (!widest) return {};
  std::vector<analyze::TimeGroup> out = analyze::groups_of_executions(*widest);
  return out.empty() ? longest_and_others(*widest) : out;
}

}  // namespace

std::optional<Variation> variation_of(const Experiment& experiment) {
  const trace::Trace& trace = experiment.trace();
  // One alone waits for nobody.
  if (trace.streams() < 2) return std::nullopt;
  const std::vector<VaryingCall> calls = varying_calls(trace);
  if (!may_matter(experiment, calls)) return std::nullopt;
  const auto all = experiment.time_drawn({});
  if (!all) return std::nullopt;
  Variation out{.time = *all, .call = calls.front().call, .costs_alone = 0};
  for (std::size_t i = 0; i < std::min(calls.size(), kMostVarying); ++i) {
    const auto alone = experiment.time_drawn(calls[i].call);
    if (!alone) continue;
    const Picoseconds costs = *alone - experiment.run().end.time;
    if (costs <= out.costs_alone) continue;
    out.call = calls[i].call;
    out.costs_alone = costs;
  }
  out.executions = executions_before(trace, out.call);
  return out;
}

void find_variation(const Experiment& experiment, const Variation& variation,
                    std::vector<Finding>& out) {
  const Picoseconds cost = variation.time - experiment.run().end.time;
  if (cost < experiment.least()) return;
  out.push_back({.kind = FindingKind::variation,
                 .call = variation.call,
                 .ranks = experiment.ranks_at(variation.call),
                 .cost = cost,
                 .whole = variation.time,
                 .excess = variation.costs_alone,
                 .executions = variation.executions});
}

}  // namespace reprise::diagnose
