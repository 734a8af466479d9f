#include "write/times/noticed.hpp"

#include <algorithm>

namespace reprise::write::times {
namespace {

// The sums of so many streams tell enough.
constexpr std::uint64_t kStreams = 64;
constexpr double kMicrosecond = 1e3;  // the unit of a trace's duration [ns]

}  // namespace

Noticed::Noticed(const trace::Trace& trace)
    : budget_(kMicrosecond * static_cast<double>(trace.duration)) {
  const std::uint64_t step = std::max<std::uint64_t>(1, trace.streams() / kStreams);
  for (std::uint64_t s = 0; s < trace.streams(); s += step) {
    double sum = 0;
    for (const trace::CallTimes& t : trace.times) {
      for (const trace::Path& p : t.paths) {
        if (p.compute.count_of(s) > 0) sum += p.compute.sum_of(s);
      }
    }
    budget_ = std::max(budget_, sum);
  }
}

}  // namespace reprise::write::times
