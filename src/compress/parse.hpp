// Writes a stream down on a tree of loops: how many trips each item takes, pass after pass.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "compress/loop_tree.hpp"

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

// Of an item: the trips of a visit; the passes of its body in a row, also where those are several
// visits of a loop directly around it; and the passes in all.
struct PassCount {
  Extent trips, in_a_row;
  std::uint64_t passes = 0;

  bool operator==(const PassCount&) const = default;
};

// Per item of the tree, its trips over the passes of its parent's body. `site_of` maps the sites
// of the stream to those of the tree. Exact for every stream and every tree: a step forward in a
// body skips items, a step backward begins another pass, and so does a step that the tree says
// does (LoopTree::repeats). Where it says that passes may run together, steps forward begin another
// pass if there are as many as it says only then. Cost: O(calls x nesting), amortised O(1) for what
// stays within one body; the calls are counted again for each reading of loops that may run
// together, of which there are at most 1 + 3 x the number of these loops. `counts`: if not null,
// gets a number for each item.
std::vector<trace::Series> parse(const FoldedStream& stream,
                                 const std::vector<std::uint32_t>& site_of, const LoopTree& tree,
                                 std::vector<PassCount>* counts = nullptr);

// The counts alone, for a fraction of the cost: nothing is folded.
std::vector<PassCount> count_passes(const FoldedStream& stream,
                                    const std::vector<std::uint32_t>& site_of,
                                    const LoopTree& tree);

}  // namespace reprise::compress
