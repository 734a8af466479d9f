// Call paths by content, so that a call site is the same in every trace of a program.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "trace/program.hpp"

namespace reprise::extrapolate {

// Per trace and call path, a hash that is the same in all traces. Frames are named by function, file
// and line, and by module and offset where those are unknown. Copies of
// one call that a compiler made, of a loop that it unrolled, are one call site by that.
std::vector<std::vector<std::uint64_t>> name_callpaths(std::span<const trace::Trace> traces);

// "exchange stencil2d.c:40", or the place within a module; empty for an empty call path.
std::string describe_place(const trace::Trace& trace, std::uint32_t callpath);

}  // namespace reprise::extrapolate
