// Turns the return addresses of a trace into functions, files and lines.
#pragma once

#include "trace/program.hpp"

namespace reprise::analyze {

// Looks frames up in the binaries that they lie in, where those are found and have the build id
// that the trace names. Frames that stay unknown keep their module and offset.
void symbolise(trace::Trace& trace);

}  // namespace reprise::analyze
