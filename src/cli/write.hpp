// The last step of all that make a trace: its call paths in words, its copies of call sites as one,
// and then its file.
#pragma once

#include <string>

#include "trace/program.hpp"

namespace reprise::cli {

// Writes the trace of a command line. What has no words yet is a recording, in which copies of a
// call are united (transform/copies.hpp) if it has one thread a rank and some million calls at
// most. `wrappers`: as set_wrappers() takes them. Throws CommandError.
void write_output(trace::Trace trace, const std::string& program, const std::string& path,
                  const std::string& wrappers = {});

}  // namespace reprise::cli
