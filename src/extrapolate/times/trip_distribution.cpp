#include "extrapolate/times/trip_distribution.hpp"

#include <algorithm>
#include <cmath>

#include "base/hash.hpp"
#include "extrapolate/times/scalable_times.hpp"
#include "trace/series/series_folder.hpp"

namespace reprise::extrapolate {
namespace {

constexpr std::size_t kQuantiles = 21;
constexpr std::uint64_t kMostPasses = 1 << 20;  // that are drawn one by one
constexpr double kMostTrips = 0x1p52;

// The one series that the ranks of a run follow, and a rank that does; null if they differ.
struct Common {
  const trace::Series* series = nullptr;
  std::size_t rank = 0;
};
std::optional<Common> common_series(const SlotView& slot, std::size_t run) {
  Common out;
  const auto ranks = static_cast<std::size_t>(slot.inputs().runs[run].ranks);
  for (std::size_t r = 0; r < ranks; ++r) {
    const trace::Series& s = slot.series(run, r, trace::Encoding::absolute);
    if (s.empty()) continue;
    if (out.series == nullptr) out = {&s, r};
    if (!(*out.series == s)) return std::nullopt;
  }
  return out;
}

std::vector<double> trips_of(const SlotView& slot, std::size_t run, const Common& common) {
  std::vector<double> out;
  trace::SeriesCursor values(*common.series);
  for (SlotWalk walk = slot.walk(run, common.rank); walk.next() && out.size() < kMostPasses;) {
    out.push_back(static_cast<double>(values.next()));
  }
  return out;
}

// Between values at equal distances.
double interpolate(const std::vector<double>& values, double share) {
  const double place = share * static_cast<double>(values.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(place), values.size() - 1);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return std::lerp(values[below], values[above], place - std::floor(place));
}

}  // namespace

std::optional<Law> find_distribution(const SlotView& slot) {
  const Problem& problem = slot.inputs().problem;
  fit::CurveSamples samples{
      {"ranks"}, {}, std::vector<std::vector<std::vector<double>>>(1 + kQuantiles), 1};
  samples.variables.insert(samples.variables.end(), problem.names().begin(), problem.names().end());
  for (std::size_t run = 0; run < slot.inputs().runs.size(); ++run) {
    const auto common = common_series(slot, run);
    if (!common) return std::nullopt;
    if (common->series == nullptr) continue;
    std::vector<double> trips = trips_of(slot, run, *common);
    if (trips.empty() || std::ranges::min(trips) < 0) return std::nullopt;
    std::vector<double>& point = samples.points.emplace_back();
    point.push_back(static_cast<double>(slot.inputs().runs[run].ranks));
    const auto& parameters = problem.of_run(run);
    point.insert(point.end(), parameters.begin(), parameters.end());
    samples.fields[0].push_back(trips);
    std::ranges::sort(trips);
    for (std::size_t q = 0; q < kQuantiles; ++q) {
      const double share = static_cast<double>(q) / (kQuantiles - 1);
      samples.fields[1 + q].push_back({interpolate(trips, share)});
    }
  }
  if (samples.points.size() < 2) return std::nullopt;
  Law out;
  out.form = Law::Form::distribution;
  out.quantiles = fit::fit_curves(samples).curves;
  return out;
}

trace::Series draw_trips(const Law& law, std::span<const double> point, std::uint64_t passes,
                         std::uint64_t key) {
  std::vector<double> quantiles;
  for (std::size_t q = 1; q < law.quantiles.size(); ++q) {
    const double before = quantiles.empty() ? 0 : quantiles.back();
    quantiles.push_back(std::clamp(law.quantiles[q].at(point), before, kMostTrips));
  }
  // Each pass takes the middle of its share; what rounding takes from one goes to the next.
  const std::uint64_t drawn = std::clamp<std::uint64_t>(passes, 1, kMostPasses);
  std::vector<std::int64_t> trips;
  double left = 0;
  for (std::uint64_t i = 0; i < drawn; ++i) {
    const double share = (static_cast<double>(i) + 0.5) / static_cast<double>(drawn);
    const double exact = interpolate(quantiles, share) + left;
    trips.push_back(std::llround(std::max(0.0, exact)));
    left = exact - static_cast<double>(trips.back());
  }
  for (std::uint64_t i = drawn; i > 1; --i) {
    std::swap(trips[i - 1], trips[mix(combine(key, i)) % i]);
  }
  trace::SeriesFolder folder;
  for (std::uint64_t i = 0; i < drawn; ++i) folder.append(trips[i]);
  return folder.finish();
}

}  // namespace reprise::extrapolate
