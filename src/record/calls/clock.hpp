// The clock that compute and MPI times are measured with.
#pragma once

#include <cstdint>
#include <string>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace reprise::record {

enum class ClockSource : std::uint8_t { monotonic, tsc, wtime };

// Of this process. Ticks become nanoseconds when the recording ends.
class Clock {
 public:
  // `wanted`: "auto", "tsc", "monotonic" or "wtime". "auto" takes the time-stamp counter where it
  // runs at a constant rate, at half the cost of the system's clock. Under SMPI every clock is the
  // simulated one.
  explicit Clock(const std::string& wanted);

  // [ticks]
  std::uint64_t now() const {
#if defined(__x86_64__)
    if (source_ == ClockSource::tsc) return __rdtsc();
#endif
    return slow_now();
  }

  // Measured against the system's clock since construction.
  double ns_per_tick() const;
  // The same the other way round, as of construction: to a percent or so.
  double ticks_per_ns() const { return ticks_per_ns_; }
  // The time between two consecutive readings [ticks].
  std::int64_t reading() const { return reading_; }
  const char* name() const;

 private:
  std::uint64_t slow_now() const;
  double ns_per_tick_after(std::uint64_t least) const;

  ClockSource source_ = ClockSource::monotonic;
  std::int64_t reading_ = 0;
  std::uint64_t first_tick_ = 0, first_ns_ = 0;
  double ticks_per_ns_ = 1;
};

// The monotonic time of the system or, under SMPI, the simulated time [ns].
std::uint64_t system_ns();

}  // namespace reprise::record
