// A recorded trace as an explained program.
#pragma once

#include <functional>

#include "program/conditions/condition.hpp"
#include "program/program.hpp"

namespace reprise::program {

// The columns of calls that are expressed in other terms than MPI's. Ranks are those of
// MPI_COMM_WORLD.
struct Terms {
  std::vector<trace::Column> scalars, lists;
};

// For writers that need more, or less, than a listing.
struct Options {
  std::function<const Terms&(std::uint32_t call)> terms;  // none: the columns of MPI's functions
  std::optional<std::vector<std::int64_t>> extents;       // of the grid; none: it is sought
  bool has_functions = true;  // false: what they do stands wherever they are called
  bool counts_trips = false;  // Node::before is told
  std::vector<trace::DrawnExchange> exchanges = {};  // that stand as such, in place of their calls
};

// Every value is exact: for each stream and execution the program has the value of the trace.
// REQUIRES: the trace outlives the program. Cost: near-linear in nodes x terms, and in streams for
// each value that differs between them; never in the executions.
Program explain(const trace::Trace& trace, const Options& options = {});

// What is the same of all programs once their procedures are found: the body is that of the
// function that all is in, neighbors under one condition stand in a branch, sets get names.
// `conditions`: of the program's ranks; null: their number is open.
void finish(Program& program, Conditions* conditions);

}  // namespace reprise::program
