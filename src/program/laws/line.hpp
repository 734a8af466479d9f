// Linear functions of loop indices.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "program/nodes/nest.hpp"

namespace reprise::program {

// first + the sum of slopes times indices.
struct Line {
  std::int64_t first = 0;
  std::vector<std::int64_t> slopes;  // by loop inside; 0: the numbers do not depend on it

  bool operator==(const Line&) const = default;
};

// The line through the values at some executions of an entry; none if there is none with slopes up
// to 2^40. REQUIRES: at least one execution, in order; values below 2^40 and indices below 2^16 in
// magnitude. Cost: executions x loops.
std::optional<Line> line_through(std::span<const std::int64_t> values, const Indices& indices,
                                 std::span<const std::size_t> executions);

// Terms with positive slopes come first, then those with negative ones, then the constant; without
// positive slopes the constant comes first. Factors of 1 and zero terms are omitted. `scope`: loops
// that are outside.
expr::Expr expression_of(const Line& line, std::size_t scope);

}  // namespace reprise::program
