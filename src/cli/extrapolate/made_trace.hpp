// What is left to do once laws have made a trace: it is examined, and written down.
#pragma once

#include <span>
#include <string>

#include "extrapolate/scalable.hpp"
#include "extrapolate/verify/verify.hpp"

namespace reprise::cli {

// The trace, if it does not contradict itself. `json`: contradictions are printed as JSON too.
// Throws CommandError.
trace::Trace verified(trace::Trace made, const extrapolate::Excuses& excuses, bool json);

// Writes it and says what is not exact, and what nothing confirms. `program`: the command line of
// the largest input; `traces`: where call paths lie; an empty `output`: the usual name. Throws
// CommandError.
void write_made(trace::Trace made, const std::string& program, const extrapolate::Scalable& laws,
                std::span<const trace::Trace> traces, const std::string& output);

}  // namespace reprise::cli
