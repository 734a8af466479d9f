#include <algorithm>
#include <cmath>
#include <set>

#include "extrapolate/times/scalable_times.hpp"

namespace reprise::extrapolate {
namespace {

using trace::Path;
using trace::TimeMode;

// Sites that ranks come by more differently than this tell no parts.
constexpr std::size_t kMostLevels = 6;
// From this correlation on, what is left of the deltas of a rank is taken to have one cause.
constexpr double kOneCause = 0.5;
constexpr std::size_t kEnoughRanks = 8;

std::set<std::uint64_t> levels_of(const std::vector<std::uint64_t>& executions) {
  std::set<std::uint64_t> out(executions.begin(), executions.end());
  out.erase(0);
  return out;
}

// Sites that ranks of some run come by differently, at a few levels.
std::vector<std::uint32_t> telling_sites(const Aligned& inputs) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t s = 0; s < inputs.sites.size(); ++s) {
    bool differs = false, few = true;
    for (const Run& run : inputs.runs) {
      const auto& executions = run.executions[s];
      few = few && levels_of(executions).size() <= kMostLevels;
      differs = differs || std::ranges::any_of(executions, [&](std::uint64_t n) {
                  return n != executions.front();
                });
    }
    if (differs && few) out.push_back(s);
  }
  return out;
}

std::vector<Part> parts_in(const Run& run, const std::vector<std::uint32_t>& telling) {
  std::vector<std::vector<std::uint64_t>> executions(static_cast<std::size_t>(run.ranks));
  for (std::size_t r = 0; r < executions.size(); ++r) {
    for (const std::uint32_t s : telling) executions[r].push_back(run.executions[s][r]);
  }
  return parts_of(executions);
}

bool has_rank_sums(const trace::Trace& trace) {
  return std::ranges::any_of(trace.times,
                             [](const trace::CallTimes& t) { return !t.communicate.sums.empty(); });
}

std::string why_no_times(std::span<const trace::Trace> traces) {
  for (const trace::Trace& t : traces) {
    if (t.times.empty()) {
      return "the trace on " + std::to_string(t.ranks) + " ranks has none";
    }
    if (t.timing.mode != traces.front().timing.mode) {
      return "traces keep them in different ways (--time " +
             std::string(name_of(traces.front().timing.mode)) + " and " +
             std::string(name_of(t.timing.mode)) + ")";
    }
  }
  return {};
}

// What a rank spent in the largest run beyond what the law says [ns].
std::vector<double> left_over(const TimeLaw& law, const DeltaSample& sample,
                              const std::vector<Part>& parts) {
  const double level = law.profile.level({sample.counts, sample.sums, parts});
  std::vector<double> out;
  const std::size_t ranks = sample.counts.size();
  for (std::size_t r = 0; r < ranks; ++r) {
    const double expected = level * law.profile.ratio(r, ranks, parts[r]);
    out.push_back(sample.sums[r] - static_cast<double>(sample.counts[r]) * expected);
  }
  return out;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  double mean_a = 0, mean_b = 0, aa = 0, bb = 0, ab = 0;
  const auto n = static_cast<double>(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    mean_a += a[i] / n;
    mean_b += b[i] / n;
  }
  for (std::size_t i = 0; i < a.size(); ++i) {
    aa += (a[i] - mean_a) * (a[i] - mean_a);
    bb += (b[i] - mean_b) * (b[i] - mean_b);
    ab += (a[i] - mean_a) * (b[i] - mean_b);
  }
  return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : 0;
}

// A rank that is slow at one place may be so everywhere: then what the rules leave over goes to the
// ranks in one order at all places.
void find_one_cause(const std::vector<DeltaSamples>& samples, const RunsOfTimes& runs,
                    std::vector<TimeLaw>& laws) {
  const std::size_t last = runs.points.size() - 1;
  std::vector<double> all(runs.parts[last].size(), 0);
  std::vector<std::vector<double>> own(laws.size());
  if (all.size() < kEnoughRanks) return;
  std::set<std::uint32_t> apart;  // sites with computation by path
  for (const TimeLaw& law : laws) {
    if (law.delta.what == Delta::What::compute && law.delta.from != Path::kAny) {
      apart.insert(law.delta.site);
    }
  }
  for (std::size_t i = 0; i < laws.size(); ++i) {
    const Delta& d = laws[i].delta;
    if (d.what != Delta::What::compute || samples[i].runs.back().run != last) continue;
    own[i] = left_over(laws[i], samples[i].runs.back(), runs.parts[last]);
    if (d.from == Path::kAny && apart.contains(d.site)) continue;
    for (std::size_t r = 0; r < all.size(); ++r) all[r] += own[i][r];
  }
  for (std::size_t i = 0; i < laws.size(); ++i) {
    if (own[i].empty()) continue;
    std::vector<double> others = all;
    for (std::size_t r = 0; r < all.size(); ++r) others[r] -= own[i][r];
    if (correlation(own[i], others) > kOneCause) laws[i].order = 0;
  }
}

// What all ranks spend [ns].
double all_time(const trace::Trace& trace) {
  double sum = 0;
  for (const trace::CallTimes& t : trace.times) {
    sum += static_cast<double>(t.communicate.total().sum);
    for (const Path& p : t.paths) sum += static_cast<double>(p.compute.total().sum);
  }
  return sum;
}

// Ranks wait for each other, so that a run takes hardly longer than a rank spends on average; what
// single ranks spend, drawn from distributions, does not know of that.
fit::Curve fit_stretch(const Aligned& inputs, std::span<const trace::Trace> traces,
                       const RunsOfTimes& runs) {
  fit::CurveSamples samples{runs.variables, runs.points, {{}}};
  for (const Run& run : inputs.runs) {
    const trace::Trace& t = traces[run.input];
    const double spent = all_time(t) / static_cast<double>(t.ranks);
    const double duration = 1e3 * static_cast<double>(t.duration);
    samples.fields[0].push_back({spent > 0 && duration > 0 ? duration / spent : 1});
  }
  return fit::fit_curves(samples).curves.front();
}

}  // namespace

std::vector<Part> parts_of(const std::vector<std::vector<std::uint64_t>>& executions) {
  std::vector<Part> out(executions.size());
  const std::size_t sites = executions.empty() ? 0 : executions.front().size();
  for (std::size_t s = 0; s < sites; ++s) {
    std::set<std::uint64_t> levels{0};
    for (const auto& of_stream : executions) levels.insert(of_stream[s]);
    for (std::size_t i = 0; i < executions.size(); ++i) {
      const auto level = std::distance(levels.begin(), levels.find(executions[i][s]));
      out[i].push_back(static_cast<std::uint8_t>(std::min<std::ptrdiff_t>(level, 255)));
    }
  }
  return out;
}

const TimeLaw* ScalableTimes::law_of(const Delta& delta) const {
  const auto find = [&](const Delta& d) -> const TimeLaw* {
    const auto found = std::ranges::lower_bound(laws, d, {}, &TimeLaw::delta);
    return found != laws.end() && found->delta == d ? &*found : nullptr;
  };
  if (const TimeLaw* law = find(delta)) return law;
  if (delta.what == Delta::What::communicate) return nullptr;
  if (const TimeLaw* law = find({delta.site, delta.what, Path::kAny})) return law;
  const auto of_site = std::ranges::find_if(laws, [&](const TimeLaw& l) {
    return l.delta.site == delta.site && l.delta.what == delta.what;
  });
  return of_site == laws.end() ? nullptr : &*of_site;
}

std::vector<double> time_point(const Problem& problem, std::int64_t ranks) {
  std::vector<double> out{static_cast<double>(ranks)};
  out.insert(out.end(), problem.wanted().begin(), problem.wanted().end());
  return out;
}

ScalableTimes infer_times(const Aligned& inputs, std::span<const trace::Trace> traces,
                          TimeModel model) {
  ScalableTimes out;
  if (model == TimeModel::none) return out;
  out.why_none = why_no_times(traces);
  if (!out.why_none.empty()) return out;
  out.model = model;
  out.timing = traces.front().timing;
  out.timing.recorder = 0;
  out.timing.core_wait = 0;
  out.timing.precision = 0;  // laws have their own
  out.keeps_rank_sums = std::ranges::all_of(traces, has_rank_sums);
  out.telling = telling_sites(inputs);
  RunsOfTimes runs{{"ranks"}, {}, {}};
  const auto& names = inputs.problem.names();
  runs.variables.insert(runs.variables.end(), names.begin(), names.end());
  for (const Run& run : inputs.runs) {
    std::vector<double>& point = runs.points.emplace_back();
    point.push_back(static_cast<double>(run.ranks));
    const auto& parameters = inputs.problem.of_run(runs.points.size() - 1);
    point.insert(point.end(), parameters.begin(), parameters.end());
    runs.parts.push_back(parts_in(run, out.telling));
    if (model != TimeModel::curves) continue;
    const std::vector<CallSize> of_calls = sizes_of_calls(traces[run.input]);
    auto& of_sites = runs.sizes.emplace_back(inputs.sites.size());
    for (std::size_t c = 0; c < of_calls.size(); ++c) {
      if (run.site_of_call[c] != Run::kNoSite) of_sites[run.site_of_call[c]].merge(of_calls[c]);
    }
  }
  out.variables = runs.variables;
  const RankClasses classes =
      model == TimeModel::paper ? RankClasses::as_they_are : RankClasses::brought_to_one_mean;
  const std::vector<DeltaSamples> samples = sample_times(inputs, traces, classes);
  for (const DeltaSamples& s : samples) out.laws.push_back(fit_times(s, runs, model));
  if (model == TimeModel::curves) find_one_cause(samples, runs, out.laws);
  out.stretch = fit_stretch(inputs, traces, runs);
  return out;
}

}  // namespace reprise::extrapolate
