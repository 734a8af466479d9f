// Numbers on a line over the indices of loops.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "program/nest.hpp"

namespace reprise::program {

// first + the sum of slopes times indices.
struct Line {
  std::int64_t first = 0;
  std::vector<std::int64_t> slopes;  // by loop inside; 0: the numbers do not depend on it

  bool operator==(const Line&) const = default;
};

// The line through the values at some executions of an entry. REQUIRES: at least one execution, in
// order; magnitudes below 2^40. Cost: executions x loops.
std::optional<Line> line_through(std::span<const std::int64_t> values, const Indices& indices,
                                 std::span<const std::size_t> executions);

// As a person writes it: what is added stands before what is subtracted, and the number last unless
// nothing is added; without factors of 1 and sums with 0.
// `scope`: loops that are outside.
expr::Expr expression_of(const Line& line, std::size_t scope);

}  // namespace reprise::program
