// The loops and branches of a program, found from which site follows which.
//
// Every cycle of the flow graph is a loop: its header is where it is entered, its body what is left
// when the edges back to the header are gone, and so on inwards (a loop nesting forest; Havlak
// 1997, and Ramalingam 2002 for graphs that are not reducible). Two loops that share a header, such
// as a time step that begins with a loop over neighbours, are told apart by their bodies.
//
// Which tree comes out decides how a trace reads and how small it is, never whether it is right:
// any sequence of sites can be written down on any tree (parse.hpp). Where the graph does not tell
// loops within from branches, there are several to choose from (readings.hpp).
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "compress/flow_graph.hpp"
#include "compress/strong_parts.hpp"

namespace reprise::compress {

// Items in program order, each before its body. Item 0 is the whole program.
struct LoopTree {
  static constexpr std::uint32_t kBody = ~std::uint32_t{0};

  struct Item {
    std::uint32_t site = kBody;  // of a call; kBody for a body of items
    std::uint32_t parent = 0;    // index into items; its own index for the root
    std::uint32_t position = 0;  // among the items of the parent's body
    std::uint32_t depth = 0;     // 0 for the root
    // Of a call: where it follows itself, the body around it begins another pass.
    bool repeats_body = false;
    std::vector<std::uint32_t> body = {};
  };

  // A loop of few sites, which may as well be one body of calls of which passes skip some.
  struct Ambiguous {
    Sites sites;  // in program order
    std::uint32_t item = 0;
    // Each site is followed by just one of the others on some streams, not the same for each site.
    bool may_be_passes = false;
  };

  std::vector<Item> items;
  std::vector<std::uint32_t> leaf_of;  // per site: the item that is its call
  std::vector<Ambiguous> ambiguous;    // each before those within it
};

// Cost: near-linear in the edges of all streams. Loops that nest deeper than 64, or whose search
// has looked at each edge 64 times on average, are laid out flat, as one body that holds all their
// sites.
// `flat`: the ambiguous loops to lay out as one body, by their sites in program order; each takes
// O(2^n x n^2) for its n sites, which are at most kMaxPassSites.
LoopTree find_loops(const FlowGraph& graph, const std::set<Sites>& flat = {});

}  // namespace reprise::compress
