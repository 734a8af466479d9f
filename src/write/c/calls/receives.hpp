// Whether what is received may be made smaller along with what is sent (--message-scale below 1).
#pragma once

#include "trace/program.hpp"

namespace reprise::write::c {

// A message of one element stays as it is: where that is of a datatype that the program makes, it
// may be received as many elements of another one, which are as many then.
bool sends_single_elements(const trace::Trace& trace);

}  // namespace reprise::write::c
