// Merges the folded streams of a run into its trace: every stream is laid out on one tree of loops,
// and then the streams of consecutive ranks are appended.
#pragma once

#include <vector>

#include "compress/loops/loop_tree.hpp"
#include "compress/merge/rank_columns.hpp"
#include "compress/merge/stream_values.hpp"
#include "compress/times/merged_times.hpp"
#include "trace/program.hpp"

namespace reprise::compress {

// The program as consecutive streams execute it, over the items and sites of one LoopTree.
class MergedStreams {
 public:
  MergedStreams() = default;
  // One stream. `site_of` maps its sites to those of the tree.
  MergedStreams(const FoldedStream& stream, const std::vector<std::uint32_t>& site_of,
                const FlowGraph& graph, const LoopTree& tree,
                const trace::Memberships& memberships);

  // `n` streams without a call.
  static MergedStreams empty(const FlowGraph& graph, const LoopTree& tree, std::uint64_t n);

  // Puts the streams of `next` behind those here. REQUIRES: of the same tree.
  void append(MergedStreams&& next);

  void encode(ByteWriter& out) const;
  static MergedStreams decode(ByteReader& in);

  // The calls and the root of the trace; calls in program order. `callpath_of` maps a site to an
  // index into Trace::callpaths; `times_kept`: of single streams. Gives its values away one by one,
  // so that they are never in memory twice.
  void finish(const FlowGraph& graph, const LoopTree& tree,
              const std::vector<std::uint32_t>& callpath_of, TimesPerStream times_kept,
              trace::Trace& out) &&;

  // Whether both may be of the same tree.
  bool is_like(const MergedStreams& other) const {
    return trips_.size() == other.trips_.size() && columns_.size() == other.columns_.size();
  }

 private:
  std::vector<StreamValues> trips_;                 // per item
  std::vector<std::vector<StreamValues>> columns_;  // per site
  std::vector<MergedTimes> times_;                  // per site
};

}  // namespace reprise::compress
