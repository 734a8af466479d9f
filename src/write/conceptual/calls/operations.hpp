// What the calls of a trace do, in the terms of a language that speaks of tasks of the world and
// bytes: no communicators, datatypes or requests. A call is a few *operations* in order, each with
// parameters over (rank, execution) as the columns of the call have them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "trace/program.hpp"
#include "write/conceptual/calls/substitutes.hpp"

namespace reprise::write::conceptual {

enum class Verb : std::uint8_t {
  send,        // peer, bytes, tag
  send_later,  // the same, completed by the next `await`
  receive,
  receive_later,
  await,        // all that is to be completed
  barrier,      // group
  broadcast,    // group, root, bytes
  reduce,       // group, root, bytes
  all_reduce,   // group, bytes
  gather,       // group, root, bytes of each
  all_to_all,   // group, bytes from each to each
  reduce_each,  // group; to each member the bytes that are its own
  // As messages of the bytes that are a member's own, completed by the next `await`.
  collect,     // group, root; from each member
  distribute,  // group, root; to each member
  spread,      // group; from each member to each other
  exchange,    // group; elements are the bytes to each task of the world
};

inline bool is_collective(Verb v) { return v >= Verb::barrier; }
inline bool has_root(Verb v) {
  return v == Verb::broadcast || v == Verb::reduce || v == Verb::gather || v == Verb::collect ||
         v == Verb::distribute;
}
// Whether a collective is messages that are to be awaited.
inline bool is_of_messages(Verb v) { return v >= Verb::collect; }

// Of a call: what some ranks do in some executions. But for `active`, which tells those of the call
// apart, values are over the executions of the operation.
struct Operation {
  Verb verb{};
  trace::Value active;  // 1 where it is done, else 0
  trace::Value peer;    // in the world: of a message, or the root
  trace::Value bytes;
  trace::Value tag;
  trace::Value leader;    // the lowest member of the group in the world
  trace::Value elements;  // one for each task of the world in each execution
  bool is_world = true;   // the group is always all
};

struct TaskOperations {
  std::vector<std::vector<Operation>> calls;  // by Trace::calls
  // Functions done by others, and how many calls; 0: nobody knows.
  std::map<std::string, std::uint64_t> changed;
  std::map<std::string, std::string> done_as;   // by function: what is done instead, if it is told
  std::map<std::string, std::uint64_t> called;  // that are called as MPI has them
  std::map<std::string, std::uint64_t> left_out;
};

// REQUIRES: one thread a rank, collectives are aligned. Fails for wildcards, and for damage.
// Cost: all calls, twice; memory: that of the folded values.
Result<TaskOperations> find_task_operations(const trace::Trace& trace,
                                            Substitutes substitutes = Substitutes::own);

}  // namespace reprise::write::conceptual
