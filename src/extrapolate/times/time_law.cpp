#include "extrapolate/times/time_law.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/hash.hpp"
#include "extrapolate/times/quantiles.hpp"
#include "fit/scalaextrap.hpp"
#include "trace/times/bin.hpp"

namespace reprise::extrapolate {
namespace {

using OfBin = HistogramFields::OfBin;
using trace::Bin;

constexpr std::size_t kMostRepetitions = 64;  // ranks that stand for all
constexpr double kPaperUnit = 1e3;            // [ns]: its slopes are in microseconds
constexpr double kMostTime = 0x1p53;          // [ns], some months

using trace::real;

std::vector<double> shares_of(const std::vector<Bin>& bins) {
  std::vector<double> out;
  double all = 0;
  for (const Bin& b : bins) all += real(b.count);
  for (const Bin& b : bins) out.push_back(real(b.count) / all);
  return out;
}

RankTimes times_of(const DeltaSample& sample, const RunsOfTimes& runs) {
  return {sample.counts, sample.sums, runs.parts[sample.run]};
}

// What executions took on single ranks, brought to where the ratio is 1, with the mean of the run.
std::vector<double> repetitions(const RankTimes& run, const RankProfile& profile) {
  const double level = profile.level(run);
  std::vector<double> out;
  const std::size_t stride = run.counts.size() / kMostRepetitions + 1;
  double sum = 0;
  for (std::size_t r = 0; r < run.counts.size(); r += stride) {
    if (run.counts[r] == 0) continue;
    const double ratio = profile.ratio(r, run.counts.size(), run.parts[r]);
    if (ratio <= 0) continue;
    out.push_back(run.sums[r] / real(run.counts[r]) / ratio);
    sum += out.back();
  }
  if (sum <= 0) return {level};
  for (double& v : out) v *= level * static_cast<double>(out.size()) / sum;
  return out;
}

// The fields of one run's histogram, cut where that of the law is cut.
void add_fields(const DeltaSample& sample, const std::vector<double>& shares, double level,
                fit::CurveSamples& out) {
  const Quantiles quantiles(sample.bins);
  const double scale = quantiles.mean() > 0 ? level / quantiles.mean() : 0;
  double from = 0;
  for (std::size_t b = 0; b < shares.size(); ++b) {
    const double to = b + 1 == shares.size() ? 1 : from + shares[b];
    const Quantiles::Part part = quantiles.part(from, to);
    const auto put = [&](OfBin field, double value) {
      out.fields[HistogramFields::index(b, field)].push_back({std::max(0.0, scale * value)});
    };
    put(OfBin::mean, part.mean);
    put(OfBin::min, part.min);
    put(OfBin::max, part.max);
    put(OfBin::deviation, part.deviation);
    from = to;
  }
}

// Whether what the call moves differs from run to run.
bool is_sized(const DeltaSamples& samples, const RunsOfTimes& runs) {
  if (runs.sizes.empty()) return false;
  std::set<double> elements;
  for (const DeltaSample& s : samples.runs) {
    const CallSize& size = runs.sizes[s.run][samples.delta.site];
    if (size.executions == 0) return false;
    elements.insert(size.means()[1]);
  }
  return elements.size() > 1;
}

// As curves of ours: a line, or a part that is inverse, and a constant.
fit::Curve curve_of(const fit::PaperCurve& paper) {
  const bool grows = paper.model == fit::PaperModel::linear;
  const bool shrinks =
      paper.model == fit::PaperModel::inverse || paper.model == fit::PaperModel::inverse_constant;
  fit::Curve out{{{}}, {kPaperUnit * paper.constant}};
  if (!grows && !shrinks) return out;
  out.terms.push_back({{0, grows ? 1.0 : -1.0, 0}});
  out.coefficients.push_back(kPaperUnit * paper.factor);
  return out;
}

fit::CurveFit fit_as_paper(const fit::CurveSamples& measured) {
  std::vector<double> ranks;
  for (const auto& point : measured.points) ranks.push_back(point.front());
  std::vector<std::vector<double>> fields;
  for (const auto& field : measured.fields) {
    auto& times = fields.emplace_back();
    for (const auto& of_run : field) {
      double sum = 0;
      for (const double v : of_run) sum += v;
      times.push_back(sum / static_cast<double>(of_run.size()) / kPaperUnit);
    }
  }
  fit::CurveFit out;
  if (ranks.size() < 2) {
    for (const auto& times : fields) out.curves.push_back({{{}}, {kPaperUnit * times.front()}});
    return out;
  }
  for (const fit::PaperCurve& c : fit::choose_paper(ranks, fields)) {
    out.curves.push_back(curve_of(c));
  }
  return out;
}

}  // namespace

std::vector<double> TimeLaw::fields_at(std::span<const double> point) const {
  std::vector<double> out;
  for (const fit::Curve& c : fit.curves) {
    out.push_back(std::clamp(c.at(point), 0.0, kMostTime));
  }
  const auto at = [&](std::size_t b, OfBin f) -> double& {
    return out[HistogramFields::index(b, f)];
  };
  double sum = 0, before = 0;
  for (std::size_t b = 0; b < shares.size(); ++b) {
    before = at(b, OfBin::mean) = std::max(before, at(b, OfBin::mean));
    sum += shares[b] * before;
  }
  // The bins make up the mean of all, which is known best.
  const double scale = sum > 0 ? out[HistogramFields::kMean] / sum : 0;
  for (std::size_t b = 0; b < shares.size(); ++b) {
    for (const OfBin f : {OfBin::mean, OfBin::min, OfBin::max, OfBin::deviation}) at(b, f) *= scale;
    if (sum <= 0) at(b, OfBin::mean) = out[HistogramFields::kMean];
    at(b, OfBin::min) = std::min(at(b, OfBin::min), at(b, OfBin::mean));
    at(b, OfBin::max) = std::max(at(b, OfBin::max), at(b, OfBin::mean));
  }
  return out;
}

void drop_measures(TimeLaw& law) {
  for (TimeLaw& mode : law.modes) drop_measures(mode);
  fit::CurveSamples& samples = law.measured;
  if (samples.measures == 0) return;
  samples.variables.resize(samples.variables.size() - samples.measures);
  for (auto& point : samples.points) point.resize(point.size() - samples.measures);
  samples.measures = 0;
  law.fit = fit::fit_curves(samples);
}

std::vector<double> point_of(const TimeLaw& law, std::span<const double> point,
                             const CallSize& size) {
  std::vector<double> out(point.begin(), point.end());
  if (law.measured.measures == 0) return out;
  if (size.executions > 0) {
    const auto means = size.means();
    out.insert(out.end(), means.begin(), means.end());
  } else {
    // A call that was not seen moves what it moved in the largest run.
    const auto& last = law.measured.points.back();
    out.insert(out.end(), last.end() - CallSize::kMeans, last.end());
  }
  return out;
}

TimeLaw fit_times(const DeltaSamples& samples, const RunsOfTimes& runs, TimeModel model) {
  TimeLaw out;
  out.delta = samples.delta;
  out.order = combine(combine(samples.delta.site, samples.delta.from),
                      static_cast<std::uint64_t>(samples.delta.what));
  const DeltaSample& largest = samples.runs.back();
  std::vector<RankTimes> ranks;
  for (const DeltaSample& s : samples.runs) ranks.push_back(times_of(s, runs));
  if (model == TimeModel::curves) out.profile = RankProfile(ranks);
  out.shares = shares_of(largest.bins);
  out.concordance = largest.concordance;
  out.measured.variables = runs.variables;
  out.measured.fields.resize(HistogramFields::count(out.shares.size()));
  out.measured.deciding = 1;
  if (model == TimeModel::curves && is_sized(samples, runs)) {
    for (const std::string& name : names_of_means()) out.measured.variables.push_back(name);
    out.measured.measures = CallSize::kMeans;
  }
  for (std::size_t i = 0; i < samples.runs.size(); ++i) {
    const DeltaSample& s = samples.runs[i];
    out.measured.points.push_back(runs.points[s.run]);
    if (out.measured.measures > 0) {
      const auto means = runs.sizes[s.run][samples.delta.site].means();
      out.measured.points.back().insert(out.measured.points.back().end(), means.begin(),
                                        means.end());
    }
    out.measured.fields[HistogramFields::kMean].push_back(repetitions(ranks[i], out.profile));
    add_fields(s, out.shares, out.profile.level(ranks[i]), out.measured);
  }
  out.fit = model == TimeModel::paper ? fit_as_paper(out.measured) : fit::fit_curves(out.measured);
  if (model == TimeModel::paper) return out;
  for (const DeltaSamples& mode : samples.modes) {
    if (mode.runs.size() != samples.runs.size()) {
      out.modes.clear();
      return out;
    }
    out.modes.push_back(fit_times(mode, runs, model));
    // What a rank spends on the whole decides; modes only say which executions are long.
  }
  out.mode_of = samples.mode_of;
  return out;
}

}  // namespace reprise::extrapolate
