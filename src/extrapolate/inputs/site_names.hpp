// Call paths by content, so that a call site is the same in every trace of a program.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trace/program.hpp"

namespace reprise::extrapolate {

// Call paths that have the same functions and lines: several calls on one line, a function that was
// inlined twice, or copies of one call that a compiler made when it unrolled a loop.
enum class Lookalikes : std::uint8_t {
  apart,  // distinguished by order, if all traces have the same number
  one     // the same call site
};

// Per trace and call path, a hash that is the same in all traces. Frames are named by function,
// file and line, and by module and offset where those are unknown.
std::vector<std::vector<std::uint64_t>> name_callpaths(std::span<const trace::Trace> traces,
                                                       Lookalikes lookalikes);

}  // namespace reprise::extrapolate
