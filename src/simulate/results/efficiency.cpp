#include "simulate/results/efficiency.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace reprise::simulate {
namespace {

constexpr Picoseconds kMostLatency = 1'000'000'000'000;
constexpr int kSteps = 40;

double ratio(double part, double whole) { return whole > 0 ? part / whole : 1; }

}  // namespace

std::vector<Picoseconds> computation_of(const Outcome& run) {
  std::vector<Picoseconds> out;
  for (const auto& calls : run.accounts) {
    Picoseconds sum = 0;
    for (const Account& a : calls) sum += a.compute;
    out.push_back(sum);
  }
  return out;
}

double load_balance_of(const std::vector<Picoseconds>& computation) {
  const double sum = std::accumulate(computation.begin(), computation.end(), 0.0);
  const auto most = static_cast<double>(*std::ranges::max_element(computation));
  return ratio(sum / static_cast<double>(computation.size()), most);
}

Efficiency efficiency_of(const Outcome& run, const Outcome& ideal) {
  const std::vector<Picoseconds> useful = computation_of(run);
  if (useful.empty()) return {};
  const auto most = static_cast<double>(*std::ranges::max_element(useful));
  const double mean =
      std::accumulate(useful.begin(), useful.end(), 0.0) / static_cast<double>(useful.size());
  const auto time = static_cast<double>(run.end.time);
  const auto ideal_time = static_cast<double>(ideal.end.time);
  return {.parallel = ratio(mean, time),
          .load_balance = load_balance_of(useful),
          .communication = ratio(most, time),
          .serialization = ratio(most, ideal_time),
          .transfer = ratio(ideal_time, time)};
}

Result<std::vector<Tolerance>> tolerance_of(const trace::Trace& trace, const Machine& machine,
                                            const Options& options, const Outcome& run,
                                            const std::vector<double>& shares) {
  std::vector<Tolerance> out;
  for (const double share : shares) {
    const double target = static_cast<double>(run.end.time) * (1 + share);
    // Newton's steps from the left go too far, and from then on come down upon the place.
    double more =
        run.end.latencies > 0
            ? (target - static_cast<double>(run.end.time)) / static_cast<double>(run.end.latencies)
            : static_cast<double>(std::max<Picoseconds>(1000, machine.network.latency));
    Tolerance& found = out.emplace_back(Tolerance{share, -1});
    for (int step = 0; step < kSteps && more <= static_cast<double>(kMostLatency); ++step) {
      Machine slower = machine;
      slower.set_latency(machine.network.latency + std::llround(more));
      Options plain = options;
      plain.paths = false;
      plain.observer = nullptr;
      const auto there = simulate(trace, slower, plain);
      if (!there) return there.error();
      const double over = static_cast<double>(there->end.time) - target;
      const auto slope = static_cast<double>(there->end.latencies);
      if (over < 0 && slope == 0) {
        more *= 2;
        continue;
      }
      found.latency = std::llround(more);
      if (slope == 0 || std::abs(over / slope) < 1) break;
      more -= over / slope;
    }
  }
  return out;
}

}  // namespace reprise::simulate
