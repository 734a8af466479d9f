// Finds the functions of the source that contain nodes, by the call paths of their calls.
#pragma once

#include "program/program.hpp"

namespace reprise::program {

// Neighbors that were reached through the same call of a function become the body of a node of kind
// `function`. Several nodes are taken to be within the function, a condition alone to be around
// that call. A loop alone is where the machine code has it; where that does not tell, as of
// functions that the compiler inlined, loops that are around every call of a function are within
// it, and others around the call. Every node gets the frame in which it stands. Cost: nodes x depth
// of call paths.
std::vector<Node> by_function(const trace::Trace& trace, std::vector<Node> nodes);

}  // namespace reprise::program
