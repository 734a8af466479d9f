// The last step to a program that people read: items and their trips become nested bodies, without
// what only the search for loops has left there.
#pragma once

#include <vector>

#include "compress/loops/loop_tree.hpp"
#include "trace/program.hpp"

namespace reprise::compress {

// Whether no value is more than one: the trips of a branch.
bool at_most_one(const trace::Series& trips);

// The root of a trace. `trips` are those of the items of the tree; `call_of` maps a site to an
// index into Trace::calls. Consecutive items that are executed together become one branch, a loop
// among them with the trip count that it has there, and a body of one iteration is no loop.
trace::Item lay_out_items(const LoopTree& tree, const std::vector<trace::Value>& trips,
                          const std::vector<std::uint32_t>& call_of, std::uint64_t streams);

}  // namespace reprise::compress
