// The last step of all that make a trace: its call paths in words, its copies of call sites as one,
// and then its file.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"
#include "trace/program.hpp"

namespace reprise::cli {

// What becomes of a file that stands at the output by the time the trace is written.
enum class Existing : std::uint8_t { replace, keep };

// Writes the trace of a command line. What has no words yet is a recording, in which copies of a
// call are united (transform/copies.hpp) if it has one thread a rank and some million calls at
// most. `wrappers`: as set_wrappers() takes them. Reports the file on a terminal. Throws
// CommandError.
void write_output(trace::Trace trace, const std::string& program, const std::string& path,
                  Existing existing = Existing::replace, const std::string& wrappers = {});

// Puts the command line and words into a trace of the recorder. The error is why the file cannot be
// replaced ("write: No space left on device"): it stays as it is, with all calls. Throws
// CommandError if it cannot be read.
Status name_recording(const std::string& path, const std::string& program);

}  // namespace reprise::cli
