// A point in simulated time, with the composition of the critical path to it.
//
// Simulated time is made of sums and maxima of computation, latencies and bytes over bandwidth. A
// clock carries how often the network's latency and how many bytes at its bandwidth are in the sum
// that won all maxima so far, with those within nodes where these have no latency and bandwidth of
// their own: these are the derivatives of the time with respect to latency and inverse bandwidth,
// exact as long as the same sums win. At ties they are those of the sum with more latencies.
#pragma once

#include <algorithm>
#include <cstdint>

#include "simulate/clocks/path_shares.hpp"
#include "simulate/machine/machine.hpp"

namespace reprise::simulate {

enum class Where : std::uint8_t { memory, network };

// No single span is longer (eleven days), and no simulation (53 days): sums cannot overflow.
inline constexpr Picoseconds kLongest = 1'000'000'000'000'000'000;
inline constexpr Picoseconds kLongestRun = Picoseconds{1} << 62;

// The costs of a machine, in the form that clocks use.
struct Rates {
  Wire wires[2];                 // by Where
  std::int64_t is_latency[2];    // 1: with the network's latency it changes
  std::int64_t is_bandwidth[2];  // the same
  double compute_scale = 1;
  double overhead_per_byte = 0;

  explicit Rates(const Machine& machine)
      : wires{machine.memory, machine.network},
        is_latency{!machine.has_own_latency, 1},
        is_bandwidth{!machine.has_own_bandwidth, 1},
        compute_scale(1 / machine.cpu_ratio),
        overhead_per_byte(static_cast<double>(machine.overhead_per_byte)) {}

  const Wire& at(Where where) const { return wires[static_cast<int>(where)]; }
  Picoseconds time_of(Where where, std::int64_t bytes, std::int64_t times = 1) const {
    return rounded(static_cast<double>(bytes) * at(where).inverse_bandwidth, times);
  }
  Picoseconds overhead_of(std::int64_t bytes) const {
    return rounded(static_cast<double>(bytes) * overhead_per_byte, 1);
  }
  Picoseconds span(Where where, std::int64_t latencies) const {
    return rounded(static_cast<double>(at(where).latency), latencies);
  }
  Picoseconds scaled(Picoseconds compute) const {
    return compute_scale == 1 ? compute : rounded(static_cast<double>(compute) * compute_scale, 1);
  }

 private:
  // `times` that, rounded to picoseconds once, and to kLongest at most.
  static Picoseconds rounded(double one, std::int64_t times) {
    // Rounded by hand, since this is done for every message; REQUIRES: nothing is negative.
    if (!(one * static_cast<double>(times) < static_cast<double>(kLongest))) return kLongest;
    return static_cast<Picoseconds>(one + 0.5) * times;
  }
};

struct Clock {
  Picoseconds time = 0;
  std::int64_t latencies = 0;  // of the network's kind, on the critical path
  std::int64_t bytes = 0;      // at the network's bandwidth, on the critical path

  void compute(const Rates& rates, Picoseconds span, std::uint32_t) { time += rates.scaled(span); }
  void spend(Picoseconds span, std::uint32_t) { time += span; }
  void latency(const Rates& rates, Where where, std::uint32_t, std::int64_t times = 1) {
    time += rates.span(where, times);
    latencies += times * rates.is_latency[static_cast<int>(where)];
  }
  void transfer(const Rates& rates, Where where, std::int64_t n, std::uint32_t,
                std::int64_t times = 1) {
    time += rates.time_of(where, n, times);
    bytes += times * n * rates.is_bandwidth[static_cast<int>(where)];
  }
  // Whether a wait for the other would end with it. Of two equal times the one that grows more with
  // latency wins, so that the order of comparisons does not matter.
  bool is_before(const Clock& other) const {
    if (other.time != time) return other.time > time;
    return other.latencies != latencies ? other.latencies > latencies : other.bytes > bytes;
  }
  void raise(const Clock& other) {
    if (is_before(other)) *this = other;
  }

  // Whether what one gained since `before` is what another did since `its_before`.
  static bool gains_alike(const Clock& before, const Clock& now, const Clock& its_before,
                          const Clock& its_now) {
    return now.time - before.time == its_now.time - its_before.time &&
           now.latencies - before.latencies == its_now.latencies - its_before.latencies &&
           now.bytes - before.bytes == its_now.bytes - its_before.bytes;
  }
  // How many times what was gained since `before` can be added, so that none exceeds kLongestRun.
  std::uint64_t countable(const Clock& before) const {
    const auto times = [](std::int64_t then, std::int64_t now) {
      if (now <= then) return ~std::uint64_t{0};
      return static_cast<std::uint64_t>(std::max<std::int64_t>(0, kLongestRun - now) /
                                        (now - then));
    };
    return std::min(
        {times(before.time, time), times(before.latencies, latencies), times(before.bytes, bytes)});
  }
  // Adds the difference to `before`, `times` times.
  void extrapolate(const Clock& before, std::int64_t times) {
    time += times * (time - before.time);
    latencies += times * (latencies - before.latencies);
    bytes += times * (bytes - before.bytes);
  }
};

// The same with the shares of all call sites, which add up to the time. Since none of them
// decreases in a steady state, `countable` holds for them as well.
struct PathClock : Clock {
  PathShares shares;

  void compute(const Rates& rates, Picoseconds span, std::uint32_t call) {
    const Picoseconds before = time;
    Clock::compute(rates, span, call);
    shares.own(call).compute += time - before;
  }
  void spend(Picoseconds span, std::uint32_t call) {
    Clock::spend(span, call);
    shares.own(call).transfer += span;
  }
  void latency(const Rates& rates, Where where, std::uint32_t call, std::int64_t times = 1) {
    const Picoseconds before = time;
    Clock::latency(rates, where, call, times);
    shares.own(call).latency += time - before;
  }
  void transfer(const Rates& rates, Where where, std::int64_t n, std::uint32_t call,
                std::int64_t times = 1) {
    const Picoseconds before = time;
    Clock::transfer(rates, where, n, call, times);
    shares.own(call).transfer += time - before;
  }
  // Of two paths that are equal in all else, the one wins that has spent more at an earlier call.
  bool is_before(const PathClock& other) const {
    if (Clock::is_before(other)) return true;
    return !other.Clock::is_before(*this) && shares < other.shares;
  }
  void raise(const PathClock& other) {
    if (is_before(other)) *this = other;
  }
  static bool gains_alike(const PathClock& before, const PathClock& now,
                          const PathClock& its_before, const PathClock& its_now) {
    return Clock::gains_alike(before, now, its_before, its_now) &&
           PathShares::gains_alike(before.shares, now.shares, its_before.shares, its_now.shares);
  }
  void extrapolate(const PathClock& before, std::int64_t times) {
    Clock::extrapolate(before, times);
    shares.extrapolate(before.shares, times);
  }
};

}  // namespace reprise::simulate
