#include "record/calls/clock.hpp"

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>

#include "base/constant_counter.hpp"
#include "record/smpi/smpi.hpp"

namespace reprise::record {
namespace {

// A counter is compared with the system's clock over at least this long: when the recording begins,
// and when it ends [ns].
constexpr std::uint64_t kShortestEstimate = 20'000, kShortestCalibration = 2'000'000;

// Under SMPI every clock is the simulated one.
bool may_count_cycles() {
#ifdef SMPI_H
  return false;
#else
  return has_constant_counter();
#endif
}

}  // namespace

std::uint64_t system_ns() {
#ifdef SMPI_H
  return simulated_now();
#else
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1000000000u + static_cast<std::uint64_t>(t.tv_nsec);
#endif
}

Clock::Clock(const std::string& wanted) {
  if (wanted == "wtime") {
    source_ = ClockSource::wtime;
  } else if (wanted != "monotonic" && may_count_cycles()) {
    source_ = ClockSource::tsc;
  }
  reading_ = std::numeric_limits<std::int64_t>::max();
  for (int i = 0; i < 32; ++i) {
    const std::uint64_t first = now();
    reading_ = std::min(reading_, static_cast<std::int64_t>(now() - first));
  }
  first_tick_ = now();
  first_ns_ = system_ns();
  ticks_per_ns_ = 1 / ns_per_tick_after(kShortestEstimate);
}

std::uint64_t Clock::slow_now() const {
#ifndef SMPI_H  // there the clock of the system is MPI's, and asking MPI takes simulated time
  if (source_ == ClockSource::wtime) {
    return static_cast<std::uint64_t>(std::llround(PMPI_Wtime() * 1e9));
  }
#endif
  return system_ns();
}

double Clock::ns_per_tick() const { return ns_per_tick_after(kShortestCalibration); }

// So long after construction, or later [ns].
double Clock::ns_per_tick_after(std::uint64_t least) const {
  if (source_ != ClockSource::tsc) return 1;
  std::uint64_t tick = now(), ns = system_ns();
  while (ns - first_ns_ < least) {
    tick = now();
    ns = system_ns();
  }
  return static_cast<double>(ns - first_ns_) / static_cast<double>(tick - first_tick_);
}

const char* Clock::name() const {
#ifdef SMPI_H
  return "simulated";
#else
  switch (source_) {
    case ClockSource::tsc: return "tsc";
    case ClockSource::wtime: return "wtime";
    case ClockSource::monotonic: break;
  }
  return "monotonic";
#endif
}

}  // namespace reprise::record
