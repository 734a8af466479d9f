// Whether what a part says can be: its numbers come from a file, and what is made of them counts on
// each other.
#pragma once

#include <string>

#include "compress/process.hpp"

namespace reprise::compress {

// What is wrong with a process, in a few words; empty if nothing is. Its streams can be laid out
// then, and their calls are as many as they say. Cost: that of walking the streams.
std::string problem_of(const Process& process);

}  // namespace reprise::compress
