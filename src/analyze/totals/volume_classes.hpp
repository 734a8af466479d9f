// Streams that move the same, call node by call node.
#pragma once

#include "trace/program.hpp"
#include "trace/values/stream_classes.hpp"

namespace reprise::analyze {

// Streams of one class execute each call equally often and in the same order, and move the same
// with it: they agree in trips, counts, datatypes, in whether there is a peer, in who is root and,
// where persistent requests are started, in requests. Cost: O(streams) a value that varies.
trace::StreamClasses classes_by_volume(const trace::Trace& trace);

}  // namespace reprise::analyze
