// Lays a stream out on a tree of loops: the trip count of each item in each iteration around it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "compress/loops/loop_tree.hpp"

namespace reprise::compress {

// The most and the fewest of something, each time.
struct Extent {
  std::uint64_t most = 0, fewest = ~std::uint64_t{0};

  void add(std::uint64_t n) {
    most = std::max(most, n);
    fewest = std::min(fewest, n);
  }
  bool operator==(const Extent&) const = default;
};

// Of an item: the trip count of a visit; the iterations of its body in a row, also where those are
// several visits of a loop directly around it; and its iterations in all.
struct IterationCount {
  Extent trips, in_a_row;
  std::uint64_t iterations = 0;

  bool operator==(const IterationCount&) const = default;
};

// Per item of the tree, its trip counts over the iterations of its parent's body. `site_of` maps
// the sites of the stream to those of the tree. Exact for every stream and every tree: a step
// forward in a body skips items; a step backward begins another iteration, and so does a step that
// the tree has in LoopTree::repeats. In bodies that may run together, steps forward begin another
// iteration if only that gives as many as the tree wants. Cost: O(calls x nesting), amortized O(1)
// for steps within one body; the calls are counted again for each reading of loops that may run
// together, of which there are at most 1 + 6 x the number of these loops. `counts`: if not null,
// gets an entry for each item.
std::vector<trace::Series> parse(const FoldedStream& stream,
                                 const std::vector<std::uint32_t>& site_of, const LoopTree& tree,
                                 std::vector<IterationCount>* counts = nullptr);

// The counts alone, for a fraction of the cost: nothing is folded.
std::vector<IterationCount> count_iterations(const FoldedStream& stream,
                                             const std::vector<std::uint32_t>& site_of,
                                             const LoopTree& tree);

// The sites of the tree that iterations of the innermost loop around them end and begin with.
struct IterationEnds {
  std::set<std::uint32_t> ends, begins;
};

// Those that a stream shows. Cost: its distinct steps x nesting.
IterationEnds iteration_ends(const FoldedStream& stream, const std::vector<std::uint32_t>& site_of,
                             const LoopTree& tree);

}  // namespace reprise::compress
