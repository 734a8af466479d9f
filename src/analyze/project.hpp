// What one stream does, as a trace of its own.
#pragma once

#include "trace/program.hpp"

namespace reprise::analyze {

// The same program for one stream alone: what it never passes is left out, ranks are absolute where
// they are known, and every value is the stream's own. The result has one rank and one thread, and
// keeps texts, frames and call paths. Cost: O(nodes), and the executions of calls whose ranks vary;
// the calls of the stream, where one call has several communicators or a window is made anew.
trace::Trace project(const trace::Trace& trace, std::uint64_t stream);

}  // namespace reprise::analyze
