// The trace of a program at a number of ranks, from its laws.
#pragma once

#include <span>

#include "base/result.hpp"
#include "extrapolate/scalable.hpp"

namespace reprise::extrapolate {

// `traces`: the inputs, for call paths. Fails where a law has no value at this number of ranks, or
// needs a grid that does not exist there. Cost: laws that ranks do not differ in are evaluated
// once, the others for each rank that executes them.
Result<trace::Trace> instantiate(const Scalable& program, std::span<const trace::Trace> traces,
                                 const Request& request);

}  // namespace reprise::extrapolate
