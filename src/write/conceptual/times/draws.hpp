// How the executions of a call vary around the mean of a task: as a formula of the number of the
// execution and of the task, since the language draws the same random numbers on all tasks.
//
// The place of an execution in the distribution is a rotation: the number of the execution times a
// multiplier, modulo the number of executions where these are few. So each execution of a task has
// another place, and their sum stays what it was where the task makes that many; tasks begin at
// other places, and calls have other multipliers. The quantile there is a straight line, and a
// steeper one for the longest executions.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "trace/program.hpp"
#include "write/times/spread.hpp"

namespace reprise::write::conceptual {

inline constexpr std::int64_t kDrawUnit = 1000000;  // of what is drawn, for the mean

struct Draw {
  // Executions of a task are numbered from 0.
  // place = (execution * multiplier + task * by_task + first) % places
  std::int64_t places = 1, multiplier = 0, by_task = 0, first = 0;
  // (base + slope * place + tail * max(0, place - tail_from)) / kDrawUnit, of the mean.
  std::int64_t base = kDrawUnit, slope = 0, tail = 0, tail_from = 0;

  struct Execution {
    std::uint64_t number, task;  // zero-based
  };
  // Of the mean [kDrawUnit].
  std::int64_t at(Execution execution) const;
  // A draw that is nearer to the mean: that part of the distance.
  Draw weakened(double part) const;
};

// A draw of the distribution for so many executions, by task: its mean over those of the task with
// most is 1, or near it where they are many. Nothing if it would not vary, and where no task has
// more than a few. `number`: of the draw, counted over the calls of a program.
// `together`: the same executions are long on all tasks.
std::optional<Draw> draw_of(const times::Spread& spread, const std::vector<std::uint64_t>& counts,
                            std::size_t number, bool together);

// Executions of a call that are drawn from one distribution.
struct Drawn {
  std::vector<std::size_t> paths;  // that they come by: indices into CallTimes::paths
  times::Spread spread;
  bool together = false;
  double takes = 0;  // by those of a task [ns]
};

// By Trace::calls: those for which somebody notices how executions vary.
std::vector<std::vector<Drawn>> find_drawn(const trace::Trace& trace);

}  // namespace reprise::write::conceptual
