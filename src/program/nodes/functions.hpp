// Finds the functions of the source that contain nodes, by the call paths of their calls.
#pragma once

#include "program/program.hpp"

namespace reprise::program {

// Neighbors that were reached through the same call of a function become the body of a node of kind
// `function`. A loop or condition alone is taken to be around that call, several nodes and loops to
// be within the function. Every node gets the frame in which it stands. Cost: nodes x depth of call
// paths.
std::vector<Node> by_function(const trace::Trace& trace, std::vector<Node> nodes);

}  // namespace reprise::program
