// Writes a stream down on a tree of loops: how many trips each item takes, pass after pass.
#pragma once

#include <vector>

#include "compress/loop_tree.hpp"

namespace reprise::compress {

// Of an item: the most and the fewest trips of a visit, and the passes of its body in all.
struct PassCount {
  std::uint64_t most = 0, fewest = ~std::uint64_t{0}, passes = 0;
};

// Per item of the tree, its trips over the passes of its parent's body. `site_of` maps the sites
// of the stream to those of the tree. Exact for every stream and every tree: a step forward in a
// body skips items, a step backward begins another pass, and so does a step that the tree says
// does (LoopTree::repeats, LoopTree::run_together). Cost: O(calls x nesting), amortised O(1) for
// what stays within one body. `counts`: if not null, gets a number for each item.
std::vector<trace::Series> parse(const FoldedStream& stream,
                                 const std::vector<std::uint32_t>& site_of, const LoopTree& tree,
                                 std::vector<PassCount>* counts = nullptr);

}  // namespace reprise::compress
