// The loops and branches of a program, as a tree on which every stream is written down.
//
// Where the machine code is known, loops are those of the source: each call site lies in the loops
// around the calls of its call path (site_code.hpp), and of these the ones that some stream repeats
// are items. Where it is not known - call paths that were not recorded, interpreters - loops are
// found from which site follows which: every cycle of the flow graph is a loop, its header is where
// it is entered, its body what is left when the edges back to the header are gone, and so on
// inwards (a loop nesting forest; Havlak 1997, and Ramalingam 2002 for graphs that are not
// reducible). Two loops that share a header, such as a time step that begins with a loop over
// neighbours, are told apart by their bodies.
//
// Which tree comes out decides how a trace reads and how small it is, never whether it is right:
// any sequence of sites can be written down on any tree (parse.hpp).
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "compress/flow_graph.hpp"
#include "compress/site_code.hpp"

namespace reprise::compress {

// A loop in which two iterations can look like one: the last call of the first stands before the
// first call of the second. A step forward begins another pass on the streams that need it to have
// as many as this.
struct RunTogether {
  // Of a visit, in this loop and those directly around it.
  std::uint64_t passes = 0;
  // Where no reading gives that number, every step forward begins a pass.
  bool may_be_apart = false;

  bool operator==(const RunTogether&) const = default;
};

// Items in program order, each before its body. Item 0 is the whole program.
struct LoopTree {
  static constexpr std::uint32_t kBody = ~std::uint32_t{0};

  struct Item {
    std::uint32_t site = kBody;  // of a call; kBody for a body of items
    std::uint32_t parent = 0;    // index into items; its own index for the root
    std::uint32_t position = 0;  // among the items of the parent's body
    std::uint32_t depth = 0;     // 0 for the root
    std::vector<std::uint32_t> body = {};
  };

  std::vector<Item> items;
  std::vector<std::uint32_t> leaf_of;  // per site: the item that is its call
  // Per site, the sites that begin another pass of a body when they come next, though they may
  // stand behind it there; and the item of that body.
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> repeats;
  // Per loop instance of the code, its item; 0 if it has none.
  std::vector<std::uint32_t> item_of_loop;
  // Loop instances that lie directly within another one: no call stands between the two, so that
  // only their number of trips tells where one iteration of the outer loop ends. And how many loops
  // lie directly around them.
  std::map<std::uint32_t, std::size_t> directly_within;
  // By item, after how many trips an iteration of the body around it ends; 0: it is not known.
  std::vector<std::uint64_t> trips;
  std::map<std::uint32_t, RunTogether> run_together;  // by item
};

// What the code leaves open about loop instances (loop_evidence.hpp).
struct LoopChoices {
  // Of loops that lie directly within another one, their trips.
  std::map<std::uint32_t, std::uint64_t> trips;
  // Loops that are only a way through the one around them: a compiler that threads jumps makes
  // loops within of which the source knows nothing.
  std::set<std::uint32_t> dissolved;
  std::map<std::uint32_t, RunTogether> run_together;

  bool operator==(const LoopChoices&) const = default;
};

// Cost: near-linear in the edges of all streams, for each loop around them. Loops that nest deeper
// than 64, or whose search has looked at each edge 64 times on average, are laid out flat, as one
// body that holds all their sites. REQUIRES: `code` has the sites of the graph, or none.
LoopTree find_loops(const FlowGraph& graph, const SiteCode& code);
// The same with choices; `order` has the sites in program order, which does not depend on them.
LoopTree find_loops(const FlowGraph& graph, const SiteCode& code,
                    const std::vector<std::uint32_t>& order, const LoopChoices& choices);

}  // namespace reprise::compress
