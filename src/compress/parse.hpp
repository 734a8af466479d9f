// Writes a stream down on a tree of loops: how many trips each item takes, pass after pass.
#pragma once

#include <vector>

#include "compress/loop_tree.hpp"

namespace reprise::compress {

// Per item of the tree, its trips over the passes of its parent's body. `site_of` maps the sites
// of the stream to those of the tree. Exact for every stream and every tree: a step forward in a
// body skips items, a step backward begins another pass. Cost: O(calls x nesting), amortised O(1)
// for what stays within one body.
// `most` > 0: calls of the stream; later ones are left out.
std::vector<trace::Series> parse(const FoldedStream& stream,
                                 const std::vector<std::uint32_t>& site_of, const LoopTree& tree,
                                 std::uint64_t most = ~std::uint64_t{0});

}  // namespace reprise::compress
