// `--average-sizes`: the counts of vector collectives become their mean over executions and ranks,
// call site by call site, so that volumes that are random take constant space (the trade of Wu &
// Mueller 2011 and Noeth et al. 2009). A trace that was made so says it in its options.
//
// While recording, counts become 1 and displacements the number of their block, which fold; their
// sums are kept aside. When all ranks know the sums of all, these units are scaled by the means,
// rounded to the nearest.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "base/bytes.hpp"
#include "compress/fold/stream_folder.hpp"

namespace reprise::compress {

class SizeTotals {
 public:
  // Whether the function's counts are averaged: it has a count for each process.
  static bool apply_to(trace::FunctionId function);

  // Takes the counts of one call, and leaves units in their place.
  void take(trace::FunctionId function, std::span<std::int64_t> record);
  void merge(const SizeTotals& other);
  // Puts the means in place of the units, in the columns of one site of one stream.
  void scale(FoldedSite& site) const;

  // totals := varint columns, (signed sum, varint values){columns}
  void encode(ByteWriter& out) const;
  static SizeTotals decode(ByteReader& in);

 private:
  struct Total {
    std::int64_t sum = 0;
    std::uint64_t values = 0;
  };

  std::vector<Total> columns_;  // scalars, then lists; no values for those that are no counts
};

}  // namespace reprise::compress
