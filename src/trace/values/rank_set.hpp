// Sets of ranks, and how a reader sees them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/values/value.hpp"

namespace reprise::trace {

// Ranks in ascending order as strided sections, `<dimension start (iterations stride)...>`, joined
// by spaces; plainer where plainer is possible: "3", "0..7", up to four as "0 3 5".
std::string describe_ranks(const std::vector<std::uint64_t>& ranks);

}  // namespace reprise::trace
