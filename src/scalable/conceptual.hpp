// A benchmark in coNCePTuaL that runs on any number of ranks which the laws admit.
#pragma once

#include <string>

#include "base/result.hpp"
#include "generate/language.hpp"
#include "scalable/scalable_trace.hpp"

namespace reprise::scalable {

// Fails, by the name of the call, where the language cannot say what the laws do. Cost: the traces
// at the numbers of ranks that the laws come from, which it is held against.
Result<std::string> write_conceptual(const ScalableTrace& scalable,
                                     const generate::Options& options);

}  // namespace reprise::scalable
