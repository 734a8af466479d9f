// Bodies that are passed equally often in each trip of a loop around them, though not in each of
// the loops between: what their passes are beyond a counter.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyze/executions.hpp"
#include "generate/flow.hpp"

namespace reprise::generate {

// So many passes belong together, those of one trip of a loop around.
struct Round {
  std::int64_t passes = 0;  // 0: they do not
  std::string which;        // C: how many rounds have been before
  std::string within;       // C: the pass within the round; empty: only a counter tells
};

// That of the innermost of the loops and conditions `around`, the outermost of which comes first.
// Nothing if it is told by the loops as it is, or if it takes too long to find out.
// Cost: O(streams x passes).
Round round_of(const std::vector<const Statement*>& around, analyze::Executions& executions);

}  // namespace reprise::generate
