// A point in simulated time, with the streams along the critical path to it.
#pragma once

#include "simulate/clocks/clock.hpp"
#include "simulate/clocks/route.hpp"

namespace reprise::simulate {

// The time of a message counts for its sender.
struct RouteClock : PathClock {
  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};

  RouteLog* log = nullptr;
  std::uint32_t stream = kNobody;          // whose clock it is
  std::uint32_t on = kNobody;              // where the path is
  Picoseconds since = 0;                   // and since when
  std::uint32_t before = RouteLog::kNone;  // the part of the path before that

  void begin(RouteLog& of_all, std::uint32_t its_stream) {
    log = &of_all;
    stream = on = its_stream;
  }
  std::vector<RoutePart> route() const {
    return log ? log->path({on, since, time}, before) : std::vector<RoutePart>();
  }

  void compute(const Rates& rates, Picoseconds span, std::uint32_t call) {
    const Picoseconds began = time;
    PathClock::compute(rates, span, call);
    go_on(began);
  }
  void spend(Picoseconds span, std::uint32_t call) {
    const Picoseconds began = time;
    PathClock::spend(span, call);
    go_on(began);
  }
  void latency(const Rates& rates, Where where, std::uint32_t call, std::int64_t times = 1) {
    const Picoseconds began = time;
    PathClock::latency(rates, where, call, times);
    go_on(began);
  }
  void transfer(const Rates& rates, Where where, std::int64_t n, std::uint32_t call,
                std::int64_t times = 1) {
    const Picoseconds began = time;
    PathClock::transfer(rates, where, n, call, times);
    go_on(began);
  }
  // The clock stays that of its stream.
  void raise(const RouteClock& other) {
    if (!is_before(other)) return;
    const std::uint32_t own = stream;
    *this = other;
    stream = own;
  }

 private:
  // The stream has spent time: the path comes to it if it was elsewhere.
  void go_on(Picoseconds began) {
    if (time == began || on == stream || stream == kNobody || !log) return;
    before = log->add(on, since, before);
    on = stream;
    since = began;
  }
};

}  // namespace reprise::simulate
