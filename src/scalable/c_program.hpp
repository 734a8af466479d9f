// A benchmark that runs on any number of ranks which the laws admit: one self-contained C99 file.
#pragma once

#include <string>

#include "base/result.hpp"
#include "scalable/scalable_trace.hpp"

namespace reprise::scalable {

// The program: loops, conditions and calls as the laws have them, with the place of each call in a
// comment; computation sleeps for as long as its laws say on average. It says on which numbers of
// ranks it runs, and which sizes it wants. `file`: of the scalable trace, for a comment. Fails
// where the laws hold what cannot be written for any number of ranks. Cost: its length, which
// follows the laws.
Result<std::string> write_c(const ScalableTrace& scalable, const std::string& file);

}  // namespace reprise::scalable
