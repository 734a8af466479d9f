// Machines drawn at random, and the times of a trace on them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "simulate/results/result.hpp"

namespace reprise::model {

struct Range {
  double low = 0, high = 0;
};

struct SamplingOptions {
  std::size_t samples = 200;
  std::uint64_t seed = 1;
  Range latency{1e-6, 1e-3};                  // [s]
  Range bandwidth{10e6, 100e9};               // [bytes/s]
  Range cpu_ratio{1, 1};                      // times that of the machine
  bool latin_hypercube = true;                // else each number by itself
  unsigned workers = 0;                       // threads; 0: one for each core
  std::function<void(std::size_t)> progress;  // told how many are done, from any thread
};

// A machine, as far as samples differ in it.
struct Point {
  double latency = 0;            // [s]
  double inverse_bandwidth = 0;  // [s/byte]
  double cpu_ratio = 1;
};

// A time, and the plane that touches it there: alpha / CPU ratio + beta L + gamma / BW.
struct Sample : Point {
  double time = 0;   // [s]
  double alpha = 0;  // [s]
  double beta = 0;   // latencies on the critical path
  double gamma = 0;  // bytes on the critical path

  double at(const Point& p) const {
    return alpha / p.cpu_ratio + beta * p.latency + gamma * p.inverse_bandwidth;
  }
};

// Points spread evenly over the logarithms of the ranges. The same for the same seed.
// REQUIRES: 0 < low <= high.
std::vector<Sample> draw(const SamplingOptions& options);

inline constexpr std::string_view kDeadlock =
    "the simulation ended in a deadlock; `reprise simulate` shows where";

// The machine with this network, and within nodes too unless these have their own.
simulate::Machine with_network(const simulate::Machine& machine, const simulate::Wire& wire);

// The times of a trace at these points; of `machine`, the network's latency and bandwidth are
// replaced, and those within nodes if they follow them. Cost: a simulation a point.
Status simulate_at(const trace::Trace& trace, const simulate::Machine& machine,
                   const SamplingOptions& options, std::vector<Sample>& points);

}  // namespace reprise::model
