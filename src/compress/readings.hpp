// Which of several trees of loops a program is written down on: the graph of which site follows
// which does not tell whether a site that is skipped now and then stands in a loop within, or
// behind a branch. A rank inside a grid of a wavefront code, an owner that moves on from step to
// step, say little by their edges alone. What tells is how much there is to say about the trips.
#pragma once

#include <array>
#include <vector>

#include "compress/loop_tree.hpp"
#include "compress/stream_folder.hpp"

namespace reprise::compress {

class Readings {
 public:
  static constexpr std::size_t kMaxLoops = 32;  // that are weighed
  // Per ambiguous loop, what trips that vary take in it [bytes]: with loops within, and as one
  // body.
  using Costs = std::array<std::uint64_t, 2 * kMaxLoops>;

  // REQUIRES: the graph stays, as it is.
  explicit Readings(const FlowGraph& graph);

  // Of one stream, by its first calls; those of several add up. `site_of` maps its sites to those
  // of the graph. Cost: that of parsing 2^15 calls, at most kMaxNested + 1 times.
  Costs costs(const FoldedStream& stream, const std::vector<std::uint32_t>& site_of) const;

  // The tree that takes least, given the costs of all streams by these readings. Where there is
  // little between the two, loops within stay, unless streams show none (LoopTree::Ambiguous).
  LoopTree choose(const Costs& costs) const;

 private:
  // Ambiguous loops within each other; deeper ones keep their loops.
  static constexpr std::size_t kMaxNested = 3;

  struct Loop {
    Sites sites;
    bool may_be_passes = false;  // LoopTree::Ambiguous
    std::size_t depth = 0;       // ambiguous loops around it
    std::size_t parent = 0;      // index of the innermost of these, if there is one
    std::uint32_t nested_item = 0, flat_item = 0;  // in nested_, and in flat_[depth]
  };

  const FlowGraph& graph_;
  LoopTree nested_;
  std::vector<LoopTree> flat_;  // by depth: the loops there are one body each
  std::vector<Loop> loops_;
};

inline void add(Readings::Costs& sum, const Readings::Costs& more) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += more[i];
}

}  // namespace reprise::compress
