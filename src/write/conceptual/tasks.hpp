// A trace in the terms of coNCePTuaL: in place of each call of MPI what tasks compute before it and
// the operations that it is, so that the explained program of it is one of tasks and bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "program/build.hpp"
#include "trace/program.hpp"
#include "write/conceptual/calls/operations.hpp"
#include "write/conceptual/times/draws.hpp"
#include "write/times/detail.hpp"

namespace reprise::write::conceptual {

// What a column of a step is.
enum class Term : std::uint8_t {
  peer,      // in the world: of a message, or the root
  bytes,     //
  tag,       //
  leader,    // the lowest member of the group in the world
  elements,  // a list: the bytes to each task of the world
  length,    // of computation
};

// A call of the trace of tasks.
struct Step {
  std::uint32_t call = 0;                           // of the trace that it is made from
  bool is_compute = false;                          // else an operation
  Verb verb{};                                      // of an operation
  bool is_world = true;                             // its group is always all
  std::int64_t unit = 1;                            // of computation [ns]
  std::optional<std::int64_t> first_fraction = {};  // as TaskTime has it
  std::optional<Draw> draw = {};                    // as TaskTime has it
  std::vector<Term> terms;                          // by column
  program::Terms columns = {};

  // The value of a call of the explained program; null: it has none.
  const program::Value* value(const program::Node& node, Term term) const;
};

struct TaskTrace {
  trace::Trace trace;
  std::vector<Step> steps;  // by call of it
  TaskOperations operations;
};

// REQUIRES: one thread a rank, collectives are aligned. Fails as find_task_operations does.
Result<TaskTrace> task_trace(const trace::Trace& trace, Substitutes substitutes,
                             times::Detail detail);

}  // namespace reprise::write::conceptual
