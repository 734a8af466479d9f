// The last step of all that make a trace: its call paths in words, and then its file.
#pragma once

#include <string>

#include "trace/program.hpp"

namespace reprise::cli {

// Writes the trace of a command line. Throws CommandError.
void write_output(trace::Trace trace, const std::string& program, const std::string& path);

}  // namespace reprise::cli
