// Decides from the streams what the machine code leaves open about loops.
//
// Loops may lie directly within each other, with no call between: a stream shows one run of
// iterations, 15 for 5 times 3. The inner trip count is the one that a loop has wherever it is
// executed, and with which values repeat. Jump threading makes inner loops that the source does not
// have: without them the loop around has the same trip count everywhere, with them it has not. The
// same criterion tells two iterations from one where some iterations execute the first of two calls
// alone and others the second: a stream shows one of each as a single iteration with both.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "compress/loops/loop_tree.hpp"
#include "compress/loops/parse.hpp"

namespace reprise::compress {

// What streams show of the loops of the code, each number the largest over all streams; so those of
// several streams are joined by their maxima.
struct LoopEvidence {
  static constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::min();

  // By loop instance, eight numbers: the highest trip count, and the lowest, negated; the longest
  // period of a column of its calls, and the shortest, negated; the same of the innermost pattern
  // of the columns, and of which calls and inner loops are skipped. kNone: no stream executed it.
  // Behind them two numbers by site: 1 if an iteration of the innermost loop around it ends with
  // it, and if one begins with it.
  std::vector<std::int64_t> numbers;
  // Only the trip counts and the sites are needed: the other numbers stay kNone.
  bool only_trips = false;

  void add(const FoldedStream& stream, const std::vector<std::uint32_t>& site_of,
           const LoopTree& tree);
};

// Finds the loops of a graph, and the trip counts of those whose iterations run into each other, in
// each of several runs: trees with the same items. `join` makes the evidence that of all streams of
// a run; it is called equally often in every process that has the same graph and code. Cost: that
// of find_loops() for each run, and where loops lie directly within each other or have different
// trip counts that of counting the iterations of all streams, mostly less than a dozen times and at
// most some thirty times, and of parsing them, at most four times.
std::vector<LoopTree> find_loops(
    const FlowGraph& graph, const SiteCode& code, std::size_t runs,
    const std::function<void(std::size_t run, const LoopTree& tree, LoopEvidence& all)>& join);
// In one run.
LoopTree find_loops(const FlowGraph& graph, const SiteCode& code,
                    const std::function<void(const LoopTree& tree, LoopEvidence& all)>& join);

}  // namespace reprise::compress
