// Laws that the inputs do not determine because their grids have one extent in common: on 4, 6 and
// 8 ranks a grid is two ranks wide. Then no sample distinguishes "two ranks further" from "a row
// further", half of the ranks from one row, or the second row from the last. Where the target's
// grid has another width, such a law is one of several and is refused. A law on a grid whose rule
// is one of several that fit the inputs is refused as well.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "extrapolate/laws/law.hpp"
#include "trace/calls/functions.hpp"

namespace reprise::extrapolate {

class FrozenExtents {
 public:
  // The grids that ranks may form in two and three dimensions, by every rule, and `grids`, those of
  // the program; `target`: the number of ranks extrapolated to. Cost: the rules.
  FrozenExtents(std::span<const std::int64_t> inputs, std::int64_t target, const Grids& grids);

  // Why the law of a column is one of several; nothing if it is not. A length of a list is one of
  // ranks where `kind` says peer.
  std::optional<std::string> doubt(const Law& law, trace::Kind kind) const;

 private:
  using Numbers = std::set<std::int64_t>;

  std::optional<std::string> doubt(const NumberLaw& law, trace::Kind kind, bool is_offset) const;

  std::int64_t target_;
  Numbers strides_;  // between neighbors, or extents of the slowest dimension
  Numbers extents_;  // of grids in two dimensions
  // By grid of the program: what is the same; empty: nothing. Of offsets lines do not count.
  std::vector<std::string> why_, why_of_offsets_;
};

}  // namespace reprise::extrapolate
