// How durations change over a run: their sums over blocks of equally many executions, one behind
// the other. Load that drifts steadily is no noise, and a histogram does not tell when it was.
//
// Constant space: when there are too many blocks, neighbors are joined. A few additions for a
// value.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "trace/times/histogram.hpp"

namespace reprise::compress {

// All have `width` executions but the last, which may have fewer.
struct TimeBlocks {
  static constexpr std::uint64_t kMostExecutions = std::uint64_t{1} << 48;

  std::uint64_t width = 1;  // a power of two
  std::vector<trace::Bin> bins;

  // Of all [ns], or ticks.
  trace::Bin total() const;
  // Joins neighbors: half as many.
  void coarsen();
  // Adds the durations of other streams in the same executions. REQUIRES: equal widths.
  void add(const TimeBlocks& other);
  // Every duration times `factor`, as from one unit of time into another. `factor` > 0.
  void scale(double factor);
  // The same, for a mean of all. Blocks of no time stay as they are.
  void scale_to_mean(double mean);
  // Whether blocks differ by more than chance makes of how values vary within them, as much as a
  // run notices, and explain a good part of how values vary at all: the F-test of one-way analysis
  // of variance, or the t-test of a slope.
  bool have_trend() const;

  // blocks := varint bins, if there are any: varint width, (varint count, signed sum, signed min,
  //           varint max - min, double squares){bins}
  void encode(ByteWriter& out) const;
  static TimeBlocks decode(ByteReader& in);
};

class BlockFolder {
 public:
  static constexpr std::size_t kMaxBlocks = 32;

  // Amortised O(1).
  void add(std::int64_t value) {
    if (in_last_ == width_) close_block();
    last_.add(value);
    ++in_last_;
  }

  // None if there is no trend in them. More may be added afterwards.
  TimeBlocks finish() const;

 private:
  struct Block {
    std::int64_t sum = 0;
    std::int64_t min = std::numeric_limits<std::int64_t>::max();
    std::int64_t max = std::numeric_limits<std::int64_t>::min();
    double squares = 0;  // sum of the squared durations

    void add(std::int64_t value) {
      sum += value;
      min = std::min(min, value);
      max = std::max(max, value);
      squares += static_cast<double>(value) * static_cast<double>(value);
    }
  };

  void close_block();

  Block last_;
  std::uint64_t in_last_ = 0;  // values of the last block
  std::uint64_t width_ = 1;
  std::vector<Block> closed_;  // those before it
};

}  // namespace reprise::compress
