// Checks the invariants of a process that was read from a file, which merging relies on.
#pragma once

#include <string>

#include "compress/process.hpp"

namespace reprise::compress {

// Which invariant a process violates, in a few words; empty if it is valid: then its streams can be
// laid out, and have as many calls as they state. Cost: that of walking the streams.
std::string problem_of(const Process& process);

}  // namespace reprise::compress
