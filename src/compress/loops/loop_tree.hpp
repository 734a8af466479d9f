// The loops and branches of a program, as a tree on which every stream is written down.
//
// Where the machine code is known, loops are those of the source: each call site lies in the loops
// around the calls of its call path (site_code.hpp), and of these the ones that some stream repeats
// are items. Where it is not known - call paths that were not recorded, interpreters - every cycle
// of the flow graph is a loop (cycles.hpp).
//
// Which tree comes out decides how a trace reads and how small it is, never whether it is right:
// any sequence of sites can be written down on any tree (parse.hpp).
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "compress/loops/flow_graph.hpp"
#include "compress/loops/site_code.hpp"

namespace reprise::compress {

// A loop in which two iterations can look like one: the last call of the first stands before the
// first call of the second. A step forward begins another iteration on the streams that need it to
// have as many as this.
struct RunTogether {
  // How the iterations may be told apart. Each way includes those before.
  enum class By : std::uint8_t {
    ends,          // by where iterations end and begin elsewhere on the stream
    compositions,  // by the same on other streams, or by iterations of which they consist
    steps,         // by every step forward
  };

  // Of one visit, in this loop and those directly around it.
  std::uint64_t iterations = 0;
  By by = By::ends;
  // Sites directly in the loop that iterations end and begin with on any stream.
  std::set<std::uint32_t> ends = {}, begins = {};

  bool operator==(const RunTogether&) const = default;
};

// Items in program order, each before its body. Item 0 is the whole program.
struct LoopTree {
  static constexpr std::uint32_t kBody = ~std::uint32_t{0};
  // Loops nested deeper than this are laid out flat. Far below what readers of traces accept, since
  // branches add items of their own.
  static constexpr std::uint32_t kMaxNesting = 64;

  struct Item {
    std::uint32_t site = kBody;  // of a call; kBody for a body of items
    std::uint32_t parent = 0;    // index into items; its own index for the root
    std::uint32_t position = 0;  // among the items of the parent's body
    std::uint32_t depth = 0;     // 0 for the root
    std::vector<std::uint32_t> body = {};
  };

  std::vector<Item> items;
  std::vector<std::uint32_t> leaf_of;  // per site: the item that is its call
  // Per site, the sites that begin another iteration of a body when they come next, although they
  // may stand behind it there; and the item of that body.
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> repeats;
  // Per loop instance of the code, its item; 0 if it has none.
  std::vector<std::uint32_t> item_of_loop;
  // Loop instances that lie directly within another one, with no call between the two, so that only
  // their trip count tells where one iteration of the outer loop ends; and how many loops lie
  // directly around them.
  std::map<std::uint32_t, std::size_t> directly_within;
  // By item, the trip count after which an iteration of the body around it ends; 0: unknown.
  std::vector<std::uint64_t> trips;
  std::map<std::uint32_t, RunTogether> run_together;  // by item

  // Appends an item to the body of `parent` and returns its index.
  std::uint32_t add_item(std::uint32_t parent);
};

// What the code leaves open about loop instances (loop_evidence.hpp).
struct LoopChoices {
  // Trip counts of loops that lie directly within another one.
  std::map<std::uint32_t, std::uint64_t> trips;
  // Loops that are not in the source: jump threading splits the paths through a loop into inner
  // loops. Their iterations are those of the loop around them.
  std::set<std::uint32_t> dissolved;
  std::map<std::uint32_t, RunTogether> run_together;

  bool operator==(const LoopChoices&) const = default;
};

// Cost: near-linear in the edges of all streams, for each loop around them. Loops that nest deeper
// than kMaxNesting, or whose search exceeds its cost (cycles.hpp), are laid out flat, as one body
// that holds all their sites. REQUIRES: `code` has the sites of the graph, or none.
LoopTree find_loops(const FlowGraph& graph, const SiteCode& code);
// The same with choices; `order` has the sites in program order, which does not depend on them.
LoopTree find_loops(const FlowGraph& graph, const SiteCode& code,
                    const std::vector<std::uint32_t>& order, const LoopChoices& choices);

}  // namespace reprise::compress
