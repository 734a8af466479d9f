// A point in simulated time, with the computation of each rank on the critical path to it.
//
// When a rank waits for another, the shares of the other clock minus those of its own are the
// excess time of the other rank: they add up to the wait. Since a clock that is waited for is taken
// over with its shares, this holds through chains of waits, and common shares cancel out: it is the
// delay analysis of Scalasca (Böhme et al. 2016) with the last common event as the synchronization
// point.
#pragma once

#include "base/hash.hpp"
#include "simulate/clocks/clock.hpp"

namespace reprise::simulate {

// Shares are by stream and call: stream * calls + call.
struct DelayClock : PathClock {
  std::uint32_t first = 0;        // of the stream whose clock it is: its share of call 0
  std::uint64_t fingerprint = 0;  // of the shares, linear in them, modulo 2^64

  void compute(const Rates& rates, Picoseconds span, std::uint32_t call) {
    const Picoseconds before = time;
    PathClock::compute(rates, span, first + call);
    add(first + call, 0, time - before);
  }
  void spend(Picoseconds span, std::uint32_t call) {
    PathClock::spend(span, first + call);
    add(first + call, 1, span);
  }
  void latency(const Rates& rates, Where where, std::uint32_t call, std::int64_t times = 1) {
    const Picoseconds before = time;
    PathClock::latency(rates, where, first + call, times);
    add(first + call, 2, time - before);
  }
  void transfer(const Rates& rates, Where where, std::int64_t n, std::uint32_t call,
                std::int64_t times = 1) {
    const Picoseconds before = time;
    PathClock::transfer(rates, where, n, first + call, times);
    add(first + call, 1, time - before);
  }
  // The clock stays that of its stream.
  void raise(const DelayClock& other) {
    if (!is_before(other)) return;
    const std::uint32_t own = first;
    *this = other;
    first = own;
  }
  void extrapolate(const DelayClock& before, std::int64_t times) {
    PathClock::extrapolate(before, times);
    fingerprint += static_cast<std::uint64_t>(times) * (fingerprint - before.fingerprint);
  }
  // The fingerprint is compared in place of the shares, which are streams x calls.
  static bool gains_alike(const DelayClock& before, const DelayClock& now,
                          const DelayClock& its_before, const DelayClock& its_now) {
    return Clock::gains_alike(before, now, its_before, its_now) &&
           now.fingerprint - before.fingerprint == its_now.fingerprint - its_before.fingerprint;
  }

 private:
  void add(std::uint32_t share, std::uint64_t part, Picoseconds span) {
    fingerprint += mix(3 * std::uint64_t{share} + part) * static_cast<std::uint64_t>(span);
  }
};

}  // namespace reprise::simulate
