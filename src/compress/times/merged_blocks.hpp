// Blocks of executions (block_folder.hpp) over consecutive streams, and what a trace keeps of them:
// each block is a mode of its own. Blocks are the same executions on all streams, so that streams
// that drift together still do. What counts is how the load of a stream changes, beside its mean:
// streams of which it changes alike are one class.
#pragma once

#include <cstdint>
#include <vector>

#include "compress/times/block_folder.hpp"
#include "trace/times/times.hpp"

namespace reprise::compress {

class MergedDelta;

// Groups of the executions of a path, as trace::Path has them.
struct Modes {
  std::vector<trace::DeltaTimes> times;  // by mode; none: all executions are alike
  trace::Value mode_of;
  double left = 0;  // of how executions vary: squared distances from the means of modes [ns^2]
};

class MergedBlocks {
 public:
  MergedBlocks() = default;
  // One stream; no blocks if it has no trend.
  explicit MergedBlocks(TimeBlocks blocks);
  // `n` streams without a trend.
  static MergedBlocks absent(std::uint64_t n);

  // Puts the streams of `next` behind those here. Cost: O(blocks + streams of next).
  void append(MergedBlocks&& next);

  // The fewest blocks that tell as much of how the executions of `all` vary as the finest do, and
  // take `most_bytes` at most; none if they tell hardly anything. Cost: O(blocks x streams).
  Modes finish(const MergedDelta& all, std::size_t most_bytes) &&;

  // merged := varint classes, blocks{classes}, varint streams, byte{streams}
  void encode(ByteWriter& out) const;
  static MergedBlocks decode(ByteReader& in);

 private:
  static constexpr std::uint8_t kNoTrend = 0xff;

  void widen(std::uint64_t width);
  void unite_classes(std::vector<std::uint8_t>& number);
  void add_steady_class(const MergedDelta& all);
  void restore_sums(const MergedDelta& all);
  std::size_t blocks_of(const MergedDelta& all) const;
  trace::DeltaTimes times_in(std::size_t block, const MergedDelta& all) const;
  Modes modes_of(const MergedDelta& all) const;

  std::uint64_t width_ = 1;           // of all classes
  std::vector<TimeBlocks> classes_;   // each in terms of the mean of its first stream
  std::vector<std::uint8_t> number_;  // by stream: its class
};

}  // namespace reprise::compress
