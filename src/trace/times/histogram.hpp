// How long something took, over many times: a histogram whose bins balance themselves.
//
// As long as there are fewer than k bins, a value that lies in none gets one of its own; so does
// later a new minimum or maximum, and the two neighbors that lie closest become one (Ward 1963:
// by what joining adds to the squared distances within bins).
// Whenever a bin has grown by the smoothing interval, the adjacent pair of bins with the fewest
// values becomes one and the fullest bin is split at its mean, if that pair has at most half of
// what the fullest has: no bin of the three is then fuller than the fullest was (split_rule.cpp).
// Source: Ratn, Mueller, de Supinski, Schulz 2008 ("Preserving time"): rebalancing is their
// algorithm 2, with a condition on the pair of ours. Their algorithm 1 cuts [0, 2v) into k equal
// bins for a first value v: values that are close to each other then share a bin, and outliers a
// bin with what is near them. The merge is ours, too: theirs costs O(values), ours O(k^2) at most.
//
// Count, sum, minimum and maximum over all bins are exact, whatever was split and merged in
// whatever order. What a single bin says is exact until it is split; after that its share is
// estimated.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/bytes.hpp"
#include "trace/times/bin.hpp"
#include "trace/times/rounding.hpp"

namespace reprise::trace {

class Histogram {
 public:
  static constexpr std::size_t kMaxBins = 64;
  static constexpr double kDefaultSmoothing = 0.1;
  // Count x the largest absolute value of a bin, at most [ns]; beyond it, sums would overflow.
  static constexpr double kMostTime = 0x1p62;

  // An empty one of up to `bins` bins, 1 to kMaxBins. `smoothing` is the share of all values by
  // which a bin grows between two attempts to rebalance.
  explicit Histogram(std::size_t bins = 1, double smoothing = kDefaultSmoothing)
      : limit_(std::max<std::size_t>(1, bins)), smoothing_(smoothing) {}

  // O(bins).
  void add(std::int64_t value);
  // Neither side needs the same number of bins; the larger limit holds.
  void merge(const Histogram& other);
  // Every value times `factor`, as from one unit of time into another. `factor` > 0.
  void scale(double factor);

  // Those with values, ascending: no bin ends behind the begin of the next.
  std::vector<Bin> bins() const;
  bool empty() const { return bins_.empty(); }
  // All bins in one: count, sum, min and max are exact.
  Bin total() const;
  double mean() const;  // of all values, or 0 [ns]

  // histogram := varint bins, bin{bins}
  // bin := varint count, signed (min - max of the bin before), varint max - min,
  //        varint sum - count x min, varint deviation
  void encode(ByteWriter& out) const;
  static Histogram decode(ByteReader& in);

  // What is left of the bins once written with this rounding and read again.
  void round(Rounding rounding);
  // Joins neighbors for which `is_alike`, the closest first.
  void join_if(const std::function<bool(const Bin&, const Bin&)>& is_alike);

  // As above if the rounding is exact, else
  // bin := varint count unless `is_last` and it is the last one, signed min - max of the bin
  // before,
  //        varint mean - min, varint max - mean, byte spread if max > min
  // in numbers of the rounding; a deviation is the width times 2^((1 - spread) / 8), or 0.
  // `left`: durations that this histogram and those behind it hold, less those of its own
  // afterwards.
  void encode(ByteWriter& out, Rounding rounding, bool is_last) const;
  static Histogram decode(ByteReader& in, Rounding rounding, bool is_last, std::uint64_t& left);

 private:
  struct Range : Bin {
    std::int64_t end = 0;     // values from here on belong to the bins behind; the last has no end
    std::uint64_t check = 0;  // count at which to rebalance
  };

  void insert(std::int64_t value);
  void join(std::size_t first);
  void assign(std::vector<Bin> bins);

  // split_rule.cpp
  void rebalance();
  void split(std::size_t index);
  void plan_check(Range& range) const;

  std::vector<Range> bins_;
  std::size_t limit_;
  double smoothing_;
};

}  // namespace reprise::trace
