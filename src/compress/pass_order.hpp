// The order in which the sites of a loop stand if each of its passes goes through them once.
#pragma once

#include "compress/flow_graph.hpp"
#include "compress/strong_parts.hpp"

namespace reprise::compress {

// Of more sites no order is sought.
inline constexpr std::size_t kMaxPassSites = 12;

// The order of the sites with the fewest passes: steps back, in all streams together. Of several
// the one in which the loop is entered and left the least far from its ends, summed over all steps;
// of these the first, as `sites` are given. REQUIRES: at most kMaxPassSites sites. Cost: O(2^n x
// n^2).
Sites pass_order(const FlowGraph& graph, const Sites& sites);

}  // namespace reprise::compress
