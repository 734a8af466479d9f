#include "extrapolate/times/time_report.hpp"

#include <algorithm>
#include <cmath>

#include "extrapolate/times/call_sizes.hpp"
#include "extrapolate/values/instantiate.hpp"
#include "trace/calls/places.hpp"

namespace reprise::extrapolate {
namespace {

using trace::Path;

std::string name_of_field(std::size_t index) {
  if (index == HistogramFields::kMean) return "mean";
  static constexpr const char* kNames[] = {"mean", "minimum", "maximum", "deviation"};
  const std::size_t of_bin = index - 1;
  return std::string(kNames[of_bin % HistogramFields::kOfBin]) + " of bin " +
         std::to_string(of_bin / HistogramFields::kOfBin + 1);
}

std::string_view name_of(RankProfile::Rule rule) {
  switch (rule) {
    case RankProfile::Rule::even: return "even";
    case RankProfile::Rule::ends: return "first and last ranks differ";
    case RankProfile::Rule::position: return "by position among the ranks";
    case RankProfile::Rule::part: return "by part in the program";
  }
  return "";
}

std::string what_of(const Delta& delta, const Scalable& program,
                    std::span<const trace::Trace> traces) {
  if (delta.what == Delta::What::communicate) return "communicate";
  if (delta.from == Path::kAny) return "compute";
  if (delta.from == Path::kStart) return "compute from the start";
  const Site& from = program.sites[delta.from];
  return "compute after " + trace::describe_call(traces[from.input], from.function, from.callpath);
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return sum / static_cast<double>(values.size());
}

double deviation_of(const std::vector<double>& spread) {
  double squares = 0;
  for (const double v : spread) squares += (v - 1) * (v - 1);
  return spread.empty() ? 0 : std::sqrt(squares / static_cast<double>(spread.size()));
}

// The paper has no intervals, and neither has a law without its measurements.
std::vector<fit::Estimate> estimates(const TimeLaw& law, TimeModel model,
                                     const std::vector<double>& point) {
  if (model == TimeModel::curves && !law.measured.fields.empty())
    return fit::predict(law.measured, law.fit, point);
  std::vector<fit::Estimate> out;
  for (const double v : law.fields_at(point)) out.push_back({v, v, v});
  return out;
}

TimeReport report(const TimeLaw& law, const Scalable& program, std::span<const trace::Trace> traces,
                  std::span<const double> variables, const CallSize& size) {
  const std::vector<double> point = point_of(law, variables, size);
  const Site& site = program.sites[law.delta.site];
  TimeReport out;
  out.function = trace::function(site.function).name;
  out.place = trace::describe_place(traces[site.input], site.callpath);
  out.what = what_of(law.delta, program, traces);
  out.points = law.measured.points;
  if (!law.measured.fields.empty()) {
    for (const auto& of_run : law.measured.fields[HistogramFields::kMean]) {
      out.measured.push_back(mean_of(of_run));
    }
  }
  const std::vector<fit::Estimate> at = estimates(law, program.times.model, point);
  // Of laws from a file nothing measured is left: their variables are those of all laws, and the
  // means of their call site.
  std::vector<std::string> names = law.measured.variables;
  if (names.empty()) {
    names = program.times.variables;
    for (const std::string& name : names_of_means()) names.push_back(name);
  }
  for (std::size_t f = 0; f < at.size(); ++f) {
    out.fields.push_back({name_of_field(f), law.fit.curves[f].describe(names), at[f]});
  }
  out.shares = law.shares;
  out.error = law.fit.error;
  if (!law.fit.runner_up.empty()) {
    out.runner_up = law.fit.runner_up.front().describe(names);
  }
  out.ranks = name_of(law.profile.rule());
  out.spread = deviation_of(law.profile.spread());
  out.modes = law.modes.size();
  return out;
}

}  // namespace

namespace {

// What the call of each site moves on so many ranks; nothing of those that cannot be made.
std::vector<CallSize> sizes_at(const Scalable& program, std::span<const trace::Trace> traces,
                               std::int64_t ranks) {
  std::vector<CallSize> out(program.sites.size());
  const bool sized = std::ranges::any_of(
      program.times.laws, [](const TimeLaw& law) { return law.measured.measures > 0; });
  if (!sized) return out;
  Scalable without_times = program;
  without_times.times = {};
  Request request;
  request.ranks = ranks;
  request.grid = program.grids.wanted;
  const auto made = instantiate(without_times, traces, request);
  if (!made) return out;
  const std::vector<CallSize> of_calls = sizes_of_calls(*made);
  // The calls of the trace are the sites in their order.
  std::size_t call = 0;
  for (const std::uint32_t site : program.order) out[site] = of_calls[call++];
  return out;
}

}  // namespace

std::vector<TimeReport> report_times(const Scalable& program, std::span<const trace::Trace> traces,
                                     std::int64_t ranks) {
  const std::vector<double> point = time_point(program.problem, ranks);
  const std::vector<TimeLaw>& laws = program.times.laws;
  const std::vector<CallSize> sizes = sizes_at(program, traces, ranks);
  std::vector<TimeReport> out;
  for (std::size_t i = 0; i < laws.size(); ++i) {
    // Over all paths stands behind the single paths, but for the one from the start.
    const Delta& d = laws[i].delta;
    const bool is_over_paths = d.what == Delta::What::compute && d.from == Path::kAny && i > 0 &&
                               laws[i - 1].delta.site == d.site;
    if (!is_over_paths) out.push_back(report(laws[i], program, traces, point, sizes[d.site]));
  }
  return out;
}

}  // namespace reprise::extrapolate
