// A trace as a program in Python, with mpi4py, that makes the same calls.
#pragma once

#include <string>

#include "base/result.hpp"
#include "program/program.hpp"
#include "write/times/detail.hpp"

namespace reprise::write::python {

// One file that runs by itself: `mpirun -n RANKS python3 FILE`, and
// checks that it may run on so many. `trace_name`: of the trace's file,
// for a comment. An error says which call cannot be written, and why. Its length follows the nodes
// of the trace and what no expression explains.
Result<std::string> write(const program::Program& program, const std::string& trace_name);
// The same of what explains a trace.
Result<std::string> write(const trace::Trace& trace, const std::string& trace_name,
                          times::Detail detail);

}  // namespace reprise::write::python
