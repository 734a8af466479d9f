// What the code leaves open about loops, decided by what all streams show of them.
//
// Loops may lie directly within each other, with no call between: a stream shows one run of
// iterations, 15 where it was 5 times 3. What tells the inner trip count is that a loop has the
// same wherever it is run, and that values repeat with it. And a compiler that threads jumps makes
// loops within loops that the source does not have: without them the loop around has the same trip
// count everywhere, and with them it has not. The same tells two iterations from one: where some
// take the first branch alone and others the second, a stream shows one of each as both.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "compress/loop_tree.hpp"
#include "compress/parse.hpp"

namespace reprise::compress {

// What streams show of the loops of the code, each number the largest over all streams; so those of
// several streams are joined by their maxima.
struct LoopEvidence {
  static constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::min();

  // By loop instance, eight numbers: the most trips of an entry, the fewest, negated; the longest
  // period of a column of its calls, the shortest, negated; those of the innermost pattern of the
  // columns; those of which calls and loops within it are skipped. kNone: no stream has been there.
  std::vector<std::int64_t> numbers;
  // The numbers of trips suffice: the others stay kNone.
  bool only_trips = false;

  void add(const FoldedStream& stream, const std::vector<std::uint32_t>& site_of,
           const LoopTree& tree);
};

// Finds the loops of a graph, and how often those go round whose iterations run into each other.
// `join` makes evidence that of all streams; it is called equally often in every process that has
// the same graph and code. Cost: that of find_loops(), and where loops lie directly within each
// other or have different trip counts that of counting the passes of all streams, at most a dozen
// times, and of parsing them, at most three times.
LoopTree find_loops(const FlowGraph& graph, const SiteCode& code,
                    const std::function<void(const LoopTree& tree, LoopEvidence& all)>& join);

}  // namespace reprise::compress
