#include "replay/process/clock.hpp"

#include <mpi.h>

#include <ctime>

#ifdef SMPI_H
#include <simgrid/engine.h>
#include <smpi/smpi_helpers_internal.h>
#endif

namespace reprise::replay {

std::int64_t now_ns() {
#ifdef SMPI_H
  return static_cast<std::int64_t>(simgrid_get_clock() * 1e9);
#else
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return std::int64_t{t.tv_sec} * 1000000000 + t.tv_nsec;
#endif
}

void sleep_ns(std::int64_t ns) {
  const timespec t{static_cast<time_t>(ns / 1000000000), static_cast<long>(ns % 1000000000)};
#ifdef SMPI_H
  smpi_nanosleep(&t, nullptr);
#else
  nanosleep(&t, nullptr);
#endif
}

void spin_until(std::int64_t ns) {
#ifdef SMPI_H
  sleep_ns(ns - now_ns());  // time stands still while a rank computes
#else
  while (now_ns() < ns) {
  }
#endif
}

}  // namespace reprise::replay
