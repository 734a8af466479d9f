// The clock that deltas are measured with.
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
  // "auto" takes the processor's counter where it runs at a constant rate, which costs half of what
  // the system's clock does; under SMPI every clock is the simulated one.
  explicit Clock(const std::string& wanted);

  // [ticks]
  std::uint64_t now() const {
#if defined(__x86_64__)
    if (source_ == ClockSource::tsc) return __rdtsc();
#endif
    return slow_now();
  }

  // Measured since construction, against the system's clock.
  double ns_per_tick() const;
  // What lies between two readings one after the other [ticks].
  std::int64_t reading() const { return reading_; }
  const char* name() const;

 private:
  std::uint64_t slow_now() const;

  ClockSource source_ = ClockSource::monotonic;
  std::int64_t reading_ = 0;
  std::uint64_t first_tick_ = 0, first_ns_ = 0;
};

// The time of the system, or simulated [ns].
std::uint64_t system_ns();

}  // namespace reprise::record
