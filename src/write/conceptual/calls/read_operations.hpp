// What one rank does, call by call, in terms of tasks and bytes (operations.hpp).
#pragma once

#include <vector>

#include "base/result.hpp"
#include "mpi/communicators/directory.hpp"
#include "trace/series/series_folder.hpp"
#include "write/conceptual/calls/operations.hpp"

namespace reprise::write::conceptual {

// One operation of one execution.
struct DoneOperation {
  Verb verb{};
  std::int64_t peer = 0, bytes = 0, tag = 0, leader = 0;
  bool is_world = true;
  std::vector<std::int64_t> elements = {};
};

// The parameters of one operation of one call on one stream, as they come.
struct Folding {
  Verb verb{};
  bool is_world = true;
  std::uint64_t executions = 0;
  trace::SeriesFolder active, bytes, tag, leader, elements;
  trace::SeriesFolder peer[3];  // by Encoding
};

// By call, its operations; and how often the rank makes it.
struct TasksOfRank {
  std::vector<std::vector<Folding>> operations;
  std::vector<std::uint64_t> executions;
};

// Adds to what was changed and left out. Fails if something cannot be said, and for damage. Cost:
// all calls of the rank. REQUIRES: ranks are read in order with the same `names`.
Result<TasksOfRank> read_tasks(const trace::Trace& trace, std::uint64_t rank,
                               mpi::GroupNames& names, const mpi::Directory& directory,
                               Substitutes substitutes, TaskOperations& out);

}  // namespace reprise::write::conceptual
