// What the iterations of a loop consist of, and which of them are two that look like one.
//
// A stream shows two iterations as one where the last call of the first stands before the first
// call of the second. Where either of them also occurs by itself on the stream, the whole can be
// taken apart again.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "trace/series/series_folder.hpp"

namespace reprise::compress {

// The items of a loop's body that an iteration executes, in order.
using Composition = std::vector<std::uint32_t>;

// Which iterations of one loop are several, and where the others begin.
struct IterationSplits {
  trace::Series compositions;             // by iteration: number of its composition
  std::vector<std::vector<bool>> begins;  // [compositions x items]: whether one begins there

  bool empty() const { return begins.empty(); }
};

// The compositions of the iterations of one loop on one stream, folded.
class Compositions {
 public:
  // The next `times` iterations.
  void add(const Composition& items, std::uint64_t times);

  // What must occur by itself for an iteration to be several: each of its parts, or one of two.
  enum class Shown : std::uint8_t { all_parts, one_of_two };
  // Empty if there are more or longer compositions than can be compared.
  // Cost: compositions x items^3.
  IterationSplits split(Shown shown) const;

 private:
  // A loop that has more of them than this has no pattern to take iterations apart by.
  static constexpr std::size_t kMost = 256;
  // A longer iteration is compared with too many parts.
  static constexpr std::size_t kMostItems = 128;

  std::map<Composition, std::uint32_t> numbers_;
  trace::SeriesFolder by_iteration_;
  bool are_too_many_ = false;
};

}  // namespace reprise::compress
