// A recorded trace as an explained program.
#pragma once

#include "program/program.hpp"

namespace reprise::program {

// Every value is exact: what the program says of a stream and an execution is what the trace has.
// REQUIRES: the trace outlives the program. Cost: near-linear in nodes x terms, and in streams for
// each value that differs between them; never in the executions.
Program explain(const trace::Trace& trace);

// What is the same of all programs once their procedures are found: the body is that of the
// function that all is in, neighbors under one condition stand in a branch, sets get names.
void finish(Program& program);

}  // namespace reprise::program
