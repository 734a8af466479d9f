// The loops of a control flow graph, and which of its blocks may follow each other within one
// iteration.
//
// Strongly connected components are loops; without the edges that enter a loop at its heads again,
// what is strongly connected in it is a loop within, and so on (loop nesting forest; Havlak 1997,
// Ramalingam 2002 for graphs that are not reducible).
#pragma once

#include <cstdint>
#include <vector>

#include "code/flow.hpp"
#include "trace/calls/code.hpp"

namespace reprise::code {

// Where a loop lies, as indices of blocks.
struct LoopBlocks {
  std::vector<std::uint32_t> body;    // of loops within, too; sorted
  std::vector<std::uint32_t> heads;   // at which it is entered
  std::vector<std::uint32_t> points;  // those that are wanted, of loops within, too
};

struct FoundNest {
  trace::CodeFunction function;
  std::vector<LoopBlocks> loops;  // of the function
};

// The function with a point for each of some blocks of its flow, which calls end. `points` holds
// their indices, and is brought into program order, which is that of the points of the result.
// Loops without a point are left out. `is_known` is false, with one point, if the work exceeds a
// bound. Blocks that cannot be reached from the entry (handlers of exceptions) do not make loops.
// Cost: O((points x nesting + loops) x edges).
FoundNest find_loop_nest(const Flow& flow, std::vector<std::uint32_t>& points);

}  // namespace reprise::code
