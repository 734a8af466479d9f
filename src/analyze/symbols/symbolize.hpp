// Turns the return addresses of a trace into functions, files and lines.
#pragma once

#include <cstddef>

#include "trace/program.hpp"

namespace reprise::analyze {

// Looks frames up in the binaries that they lie in, where those are found and have the build id
// that the trace names. A frame within inlined functions becomes several, one for each; the frames
// of the C library below main and below a thread's function are dropped. Frames that stay unknown
// keep their module and offset.
// `first_jump`: frames from there on were put in for tail calls (code::restore_tail_calls). Where
// one lies in the function of the frame beneath, the jump led to a part of it that the compiler
// moved elsewhere, and the frame is dropped.
void symbolize(trace::Trace& trace, std::size_t first_jump = ~std::size_t{0});

}  // namespace reprise::analyze
