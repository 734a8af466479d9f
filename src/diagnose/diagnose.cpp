#include <algorithm>
#include <limits>
#include <tuple>

#include "diagnose/barriers.hpp"
#include "diagnose/imbalance.hpp"
#include "diagnose/iterations.hpp"
#include "diagnose/messages.hpp"
#include "diagnose/network_share.hpp"
#include "diagnose/variation.hpp"
#include "diagnose/waits.hpp"

namespace reprise::diagnose {
namespace {

// Of findings that cost the same, the one first that says most about the cause.
int rank_of(FindingKind kind) {
  switch (kind) {
    case FindingKind::drift: return 0;
    case FindingKind::serial_phase: return 1;
    case FindingKind::imbalance:
    case FindingKind::long_executions: return 2;
    default: return 3;
  }
}

bool share_ranks(const Ranks& a, const Ranks& b) {
  return std::ranges::any_of(a, [&](std::uint64_t r) { return std::ranges::binary_search(b, r); });
}

void order_findings(std::vector<Finding>& findings, Picoseconds time) {
  // Costs that differ by less than this are the same.
  const Picoseconds tick = std::max<Picoseconds>(1, time / 1000);
  for (Finding& f : findings)
    f.share = static_cast<double>(f.cost) / static_cast<double>(f.whole > 0 ? f.whole : time);
  std::ranges::stable_sort(findings, {}, [&](const Finding& f) {
    return std::tuple(-(f.cost / tick), rank_of(f.kind), f.kind, f.call);
  });
  for (std::size_t i = 0; i < findings.size(); ++i) {
    for (std::size_t j = 0; j < i && !findings[i].same_as; ++j) {
      if (findings[i].cause != kNowhere && findings[i].cause == findings[j].cause &&
          share_ranks(findings[i].culprits, findings[j].culprits))
        findings[i].same_as = findings[j].same_as.value_or(j);
    }
    if (findings[i].kind == FindingKind::long_executions)
      findings[findings[i].same_as.value_or(i)].is_of_long_executions = true;
  }
}

Status find_all(const Experiment& experiment, const Options& options, Diagnosis& out) {
  const auto tell = [&](const char* what) {
    if (options.stage) options.stage(what);
  };
  tell("without waits");
  if (Status ok = find_serial_phases(experiment, out.findings); !ok) return ok;
  if (Status ok = find_waits(experiment, out.waits, out.findings); !ok) return ok;
  tell("with even computation");
  auto imbalances = imbalances_of(experiment);
  if (!imbalances) return imbalances.error();
  out.imbalances = std::move(*imbalances);
  find_imbalances(experiment, out.imbalances, out.findings);
  out.balance_without_long = balance_without_long_executions(experiment, out.findings);
  tell("without drift");
  auto drifts = drifts_of(experiment);
  if (!drifts) return drifts.error();
  out.drifts = std::move(*drifts);
  find_drifts(experiment, out.drifts, out.findings);
  if (options.simulation.compute == simulate::Compute::mean) {
    tell("with times that vary");
    out.variation = variation_of(experiment);
    if (out.variation) find_variation(experiment, *out.variation, out.findings);
  }
  tell("on other networks");
  if (Status ok = find_network_share(experiment, out.ideal_time, out.findings); !ok) return ok;
  if (Status ok = find_contention(experiment, out.messages, out.findings); !ok) return ok;
  if (Status ok = find_bad_mapping(experiment, out.messages, out.findings); !ok) return ok;
  find_needless_barriers(experiment, out.findings);
  return {};
}

}  // namespace

Result<Diagnosis> diagnose(const trace::Trace& trace, const simulate::Machine& machine,
                           const Options& options) {
  Diagnosis out;
  Options with_delays = options;
  with_delays.simulation.delays = true;
  if (options.stage) options.stage("");
  auto run = simulate::simulate(trace, machine, with_delays.simulation);
  if (!run) return run.error();
  out.run = std::move(*run);
  if (!out.run.blocked.empty()) return out;
  if (options.stage) options.stage("on an ideal network");
  const auto ideal = simulate::simulate(trace, machine.with_ideal_network(), options.simulation);
  if (!ideal) return ideal.error();
  out.efficiency = simulate::efficiency_of(out.run, *ideal);
  out.ideal_time = ideal->end.time;
  out.waits = waits_of(trace, out.run);
  out.messages = messages_of(out.run, machine, trace.ranks);
  if (!trace.times.empty()) out.main_loop = main_loop_of(trace);
  const Experiment experiment(trace, machine, options, out.run);
  if (out.run.end.time > 0) {
    if (Status ok = find_all(experiment, options, out); !ok) return ok.error();
    order_findings(out.findings, out.run.end.time);
  }
  return out;
}

namespace {

Picoseconds recorded_time(const trace::Trace& trace) {
  constexpr std::uint64_t kMicrosecond = 1'000'000;
  constexpr std::uint64_t kMost = std::numeric_limits<Picoseconds>::max() / kMicrosecond;
  return static_cast<Picoseconds>(std::min<std::uint64_t>(trace.duration, kMost) * kMicrosecond);
}

// The one that is closest to the recorded run.
Picoseconds simulated_time(const Diagnosis& diagnosis) {
  return diagnosis.variation ? diagnosis.variation->time : diagnosis.run.end.time;
}

}  // namespace

std::string_view advice_of(const Finding& finding) {
  return text_of(finding.is_of_long_executions ? FindingKind::long_executions : finding.kind)
      .advice;
}

bool is_far_from_recorded(const Diagnosis& diagnosis, const trace::Trace& trace) {
  constexpr double kMostDifference = 1.5;
  const auto recorded = static_cast<double>(recorded_time(trace));
  const auto simulated = static_cast<double>(simulated_time(diagnosis));
  if (recorded <= 0 || simulated <= 0 || !diagnosis.efficiency.is_of_computation()) return false;
  return std::max(recorded / simulated, simulated / recorded) > kMostDifference;
}

Picoseconds unexplained(const Diagnosis& diagnosis, const trace::Trace& trace) {
  const Picoseconds recorded = recorded_time(trace);
  const Picoseconds rest = recorded - simulated_time(diagnosis);
  return diagnosis.efficiency.is_of_computation() && rest > recorded / 10 ? rest : 0;
}

}  // namespace reprise::diagnose
