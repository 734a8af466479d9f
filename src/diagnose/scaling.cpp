#include "diagnose/scaling.hpp"

#include <algorithm>
#include <array>

namespace reprise::diagnose {
namespace {

constexpr std::array<std::string_view, 4> kNames = {"load balance", "serialization", "transfer",
                                                    "computation scalability"};

double ratio(double part, double whole) { return whole > 0 ? part / whole : 1; }

}  // namespace

ScalingPoint point_of(std::uint64_t ranks, const simulate::Outcome& run,
                      const simulate::Outcome& ideal) {
  ScalingPoint out{
      .ranks = ranks, .time = run.end.time, .efficiency = simulate::efficiency_of(run, ideal)};
  for (const simulate::Picoseconds c : simulate::computation_of(run)) out.computation += c;
  return out;
}

std::string_view name_of(Factor factor) { return kNames[static_cast<std::size_t>(factor)]; }

double value_of(const ScalingPoint& p, Factor factor) {
  switch (factor) {
    case Factor::load_balance: return p.efficiency.load_balance;
    case Factor::serialization: return p.efficiency.serialization;
    case Factor::transfer: return p.efficiency.transfer;
    case Factor::computation_scalability: break;
  }
  return p.computation_scalability;
}

Scaling scaling_of(std::vector<ScalingPoint> points) {
  std::ranges::stable_sort(points, {}, &ScalingPoint::ranks);
  for (ScalingPoint& p : points) {
    p.computation_scalability =
        ratio(static_cast<double>(points.front().computation), static_cast<double>(p.computation));
    p.global = p.efficiency.parallel * p.computation_scalability;
  }
  Scaling out{.points = std::move(points)};
  for (std::size_t f = 0; f < kNames.size(); ++f) {
    const auto factor = static_cast<Factor>(f);
    const double changed =
        ratio(value_of(out.points.back(), factor), value_of(out.points.front(), factor));
    if (f > 0 && changed >= out.ratio) continue;
    out.worst = factor;
    out.ratio = changed;
  }
  return out;
}

}  // namespace reprise::diagnose
