// Names for the frames of a trace.
#pragma once

#include "trace/program.hpp"

namespace reprise::cli {

// Puts frames that tail calls left out into the call paths of a recording, and looks up functions,
// files and lines. Traces that have them stay as they are.
void name_frames(trace::Trace& trace);

}  // namespace reprise::cli
