// Traces written down as text, for tests: what goes in reads like what comes out.
//
//   ranks 4
//   100:
//     [0 1 1 1]: MPI_Send count=8 datatype=MPI_INT dest=rank-1 tag=0 @ main a.c:9 > put b.c:3
//     {0 1}: MPI_Barrier
//
// A line is an item: its trips and a colon, left out if it is passed once, then a call; without a
// call it is a body, whose items are indented by two. Numbers may be names (MPI_INT). A value is
//
//   8           the same everywhere                rank+1 rank^1   relative to the rank, modulo
//                                                  the size of its communicator
//   {8 9}       one execution after another, all of them; {8 9 ...} again and again
//   [8 9 9 9]   by stream; each may be a series in braces
//
// A list is (1 2 3), the same in each execution; (2){1 2 3 4} with a value for all of its elements;
// 'text' of characters. What a line does not name is 0 for polls, buffers and the communicator.
//
// `ranks`, `threads`, `program`, `lost` and `times 1000 200` stand before the items: the last gives
// each call 200 ns, and 1000 ns of computation before it.
#pragma once

#include <string>

#include "trace/program.hpp"

namespace reprise::analyze {

// Throws std::invalid_argument with the line that is wrong.
trace::Trace parse_program(const std::string& text);

}  // namespace reprise::analyze
