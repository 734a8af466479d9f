// The loops of a flow graph by its edges alone, for call paths whose machine code is not known.
//
// A loop nesting forest (Havlak 1997; Ramalingam 2002 for graphs that are not reducible): every
// strongly connected part is a loop, its header is the site at which it is entered, and its body is
// what is left without the edges back to the header; inner loops are found in the body likewise. A
// loop may begin or end with a branch, so that streams enter or repeat it at different sites; the
// streams' own steps tell these from inner loops.
#pragma once

#include "compress/loops/flow_graph.hpp"
#include "compress/loops/loop_tree.hpp"
#include "compress/loops/strong_parts.hpp"

namespace reprise::compress {

// The loops of the sites in `order`, which are in program order; the sites not in it are outside.
// Only the items, leaves and repeats of the tree are set. Loops that nest deeper than
// LoopTree::kMaxNesting are laid out flat. Cost: near-linear in the edges for each level of loops;
// each edge is looked at 64 times on average at most.
LoopTree find_cycles(const FlowGraph& graph, const Sites& order);

}  // namespace reprise::compress
