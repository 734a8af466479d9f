// The average amount of data of the calls of a trace. Laws of times use it, also for the
// computation around calls, where sizes shrink with the number of ranks and communicators grow.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "trace/program.hpp"

namespace reprise::extrapolate {

// Sums over executions.
struct CallSize {
  double executions = 0;
  double members = 0;   // of the communicator, where all of its processes take part; else 1
  double elements = 0;  // of the largest buffer, all blocks together
  double work = 0;      // n log2(n) of n elements

  static constexpr std::size_t kMeans = 3;

  void merge(const CallSize& other);
  // Members, elements and work of an execution. REQUIRES: executions > 0.
  std::array<double, kMeans> means() const;
};

// Names of the means in laws of times.
std::array<std::string, CallSize::kMeans> names_of_means();

// By call, from up to 16 evenly spaced ranks. Cost: the calls of these ranks, at most some
// millions.
std::vector<CallSize> sizes_of_calls(const trace::Trace& trace);

}  // namespace reprise::extrapolate
