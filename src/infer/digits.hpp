// Offsets in a grid: the peer is the neighbor so many steps along each dimension, with or without
// wrap.
//
// Ranks are numbers of mixed radix whose digits are the coordinates, so a neighbor is a constant
// added to some digits, modulo the extent where the dimension wraps; MPI_PROC_NULL stands where a
// dimension that does not wrap ends.
#pragma once

#include <optional>
#include <vector>

#include "expr/expr.hpp"
#include "infer/samples.hpp"

namespace reprise::infer {

struct DigitOffset {
  std::vector<std::int64_t> steps;  // along each dimension, between -8 and 8
  std::vector<bool> wraps;          // each dimension
  bool has_borders = false;         // MPI_PROC_NULL was seen

  bool operator==(const DigitOffset&) const = default;
};

// The one offset that explains every sample of every world; the shortest if there are several,
// nothing if two are as short, as where one step forward is one back since all extents are 2.
// REQUIRES: all worlds have a grid of as many dimensions. Cost: linear in the samples.
std::optional<DigitOffset> find_digit_offset(const Samples& samples);
// All that explain every sample and are as short as the shortest.
std::vector<DigitOffset> find_digit_offsets(const Samples& samples);

// The peer as an expression over rank, ranks, extents and coordinates.
expr::Expr digit_expression(const DigitOffset& offset);

}  // namespace reprise::infer
