// What the call of an MPI function gets in C, argument by argument, as the runtime part has it.
#pragma once

#include <vector>

#include "write/c/calls/call_arguments.hpp"

namespace reprise::write::c {

// A buffer with its count and datatype is one macro where it is memory of its own, a list is
// widened for functions that take wider numbers, and kept where MPI may read it until a request is
// over. REQUIRES: the arguments are written.
std::vector<Expression> passed_arguments(CallArguments& arguments);

}  // namespace reprise::write::c
