// Turns the return addresses of a trace into functions, files and lines.
#pragma once

#include "trace/program.hpp"

namespace reprise::analyze {

// Looks frames up in the binaries that they lie in, where those are found and have the build id
// that the trace names. A frame within inlined functions becomes several, one for each; the frames
// of the C library below main and below a thread's function are dropped. Frames that stay unknown
// keep their module and offset.
void symbolise(trace::Trace& trace);

}  // namespace reprise::analyze
