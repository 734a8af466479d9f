// How efficiencies change with the number of ranks, in the terms of POP.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "simulate/results/efficiency.hpp"
#include "simulate/results/result.hpp"

namespace reprise::diagnose {

// One run of several.
struct ScalingPoint {
  std::uint64_t ranks = 0;
  simulate::Picoseconds time = 0;
  simulate::Picoseconds computation = 0;  // of all ranks
  simulate::Efficiency efficiency;
  // Against the first: all computation there over all computation here, and that times the parallel
  // efficiency.
  double computation_scalability = 1, global = 1;
};

// Of a run and the same on an ideal network.
ScalingPoint point_of(std::uint64_t ranks, const simulate::Outcome& run,
                      const simulate::Outcome& ideal);

// The factors whose product is the global efficiency.
enum class Factor : std::uint8_t {
  load_balance,
  serialization,
  transfer,
  computation_scalability,
};
std::string_view name_of(Factor factor);
double value_of(const ScalingPoint& point, Factor factor);

struct Scaling {
  std::vector<ScalingPoint> points;  // fewest ranks first
  Factor worst{};                    // that falls most from the first to the last, as a ratio
  double ratio = 1;                  // its last over its first value
};

// REQUIRES: at least one point. Computes what the points are against the first.
Scaling scaling_of(std::vector<ScalingPoint> points);

}  // namespace reprise::diagnose
