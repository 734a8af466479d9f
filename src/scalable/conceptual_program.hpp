// A benchmark in coNCePTuaL that runs on any number of ranks which the laws admit.
#pragma once

#include <string>

#include "base/result.hpp"
#include "generate/language.hpp"
#include "scalable/scalable_trace.hpp"

namespace reprise::scalable {

// The program: loops, conditions and statements as the laws have them, in the manner of programs
// from traces (generate/task_statements.hpp). It asserts that tasks are as many as its laws hold
// for. Fails, by the name of the call, where the language cannot say what the laws do. Cost: the
// traces at the numbers of ranks that the laws come from, which it is held against.
Result<std::string> write_conceptual(const ScalableTrace& scalable,
                                     const generate::Options& options);

}  // namespace reprise::scalable
