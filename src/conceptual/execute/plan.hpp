// What a communication statement means for one task: the messages and collectives that it takes
// part in, in order. Plans are functions of the variables that a statement depends on, so that one
// is made once and used in every round of a loop.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "conceptual/ast.hpp"
#include "conceptual/values/task_set.hpp"

namespace reprise::conceptual {

// Ranks of those that take part in a collective, in increasing order.
using Members = std::vector<std::int64_t>;

struct Traffic {
  std::int64_t messages = 0;
  std::int64_t bytes = 0;
};

struct Operation {
  enum class Kind { receive, send, barrier, broadcast, alltoall, alltoallv, reduce, allreduce };

  Kind kind = Kind::barrier;
  bool asynchronous = false;
  bool touching = false;
  bool verification = false;
  std::int64_t times = 1;  // in a row
  std::int64_t peer = 0;   // rank; of broadcast and reduce the root's index in the group
  std::int64_t bytes = 0;  // of one message; of reductions: elements
  std::int64_t tag = 0;
  Unit element = Unit::byte;               // of reductions: integer or doubleword
  std::shared_ptr<const Members> members;  // of collectives
  std::vector<int> sent, received;         // of alltoallv: bytes, by member
  Traffic out, in;                         // what counters of the language count
};

using Plan = std::vector<Operation>;

struct Planner {
  const TaskSets& tasks;
  const Evaluator& evaluator;
  std::int64_t num_tasks = 1;
  std::int64_t me = 0;                          // a task
  const std::vector<std::int64_t>& processors;  // rank of each task
  std::int64_t max_tag = 32767;

  // What I do. Throws Problem. Cost: O(tasks), and O(tasks^2) where targets are given by a relation
  // that the source is part of, in collectives and where a cycle has to be ruled out.
  Plan of(const Send& s) const;
  Plan of(const Receive& s) const;
  Plan of(const Multicast& s) const;
  Plan of(const Reduce& s) const;
  Plan of(const Synchronize& s) const;

  // Receives come before sends, so that tasks that block in a circle wait for ever, whatever the
  // MPI library buffers. Throws Problem, on all tasks, if a statement has such a circle; with more
  // messages than kMaxEdges it is not looked for.
  void check_circle(const Send& s, Position at) const;
  static constexpr std::size_t kMaxEdges = std::size_t{1} << 20;
  void check_itself(const Send& s, Position at) const;
};

// How large an element of a unit is, and so many of a unit [bytes]. Throws Problem.
std::int64_t bytes_of(Unit unit);
std::int64_t bytes_of(std::int64_t n, Unit unit, Position at);

}  // namespace reprise::conceptual
