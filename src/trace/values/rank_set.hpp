// Sets of ranks, and how a reader sees them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/values/value.hpp"

namespace reprise::trace {

// Ranks in ascending order as sections that are joined by spaces: "3", "0..7", "1..31:2" by 2, and
// in several dimensions `<dimension start (iterations stride)...>` (ScalaTrace's ranklist). Up to
// four are listed, and up to eight that would have strides: "0 3 5".
std::string describe_ranks(const std::vector<std::uint64_t>& ranks);

}  // namespace reprise::trace
