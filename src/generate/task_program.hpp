// The text of a coNCePTuaL program from the loops of a trace and what its calls do.
#pragma once

#include <string>

#include "base/result.hpp"
#include "generate/task_operations.hpp"

namespace reprise::generate {

// Fails where ranks go round a loop with collectives differently (then phases.hpp may help), and
// where trip counts are too irregular to be summed up. `name`: of the trace, for the comment at the
// top.
Result<std::string> write_task_program(const trace::Trace& trace, const TaskOperations& operations,
                                       const std::string& name);

}  // namespace reprise::generate
