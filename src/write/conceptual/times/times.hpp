// What tasks compute before each call, for programs that tell so much of it that the sum of each
// rank stays what was recorded.
//
// A call's *cell* is a path to it, or a mode of that path (trace/times/times.hpp). Each cell of a
// rank has a share of what the rank's sum may be wrong by, and takes the mean of the rank on that
// path as far as its share asks for it: ranks whose means are within reach of one number have that
// number, modes and paths that do not differ are one, and cells that are within reach of nothing
// are left out. How executions of a cell vary is drawn (draws.hpp); cells that are drawn from
// different distributions, or not at all, are told one by one. That is Detail::full; with
// less, paths are one, and ranks take the mean of their class or of all
// (write/times/class_means.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "trace/program.hpp"
#include "write/conceptual/times/draws.hpp"
#include "write/times/detail.hpp"

namespace reprise::write::conceptual {

struct TaskTime {
  trace::Value active;    // of each execution of the call: 1 if the task computes this, else 0
  trace::Value length;    // of each of these [unit]
  std::int64_t unit = 1;  // [ns]: 1000 where whole microseconds say enough
  // Where they do not: the fraction of a microsecond at which the first execution rounds, and
  // others at other ones (Computation::execution).
  std::optional<std::int64_t> first_fraction = {};
  std::optional<Draw> draw = {};  // what of its length an execution takes
};

// How far the sum of a rank may be from what was recorded [parts of it].
inline constexpr double kTimeTolerance = 0.005;

// By Trace::calls: one behind the other, none where nothing is computed. What a process does before
// MPI_Init stands behind it. Empty without times. REQUIRES: one thread a rank. Cost: O(calls x
// ranks log ranks), and all executions of those that have several cells.
std::vector<std::vector<TaskTime>> find_task_times(const trace::Trace& trace, times::Detail detail);

}  // namespace reprise::write::conceptual
