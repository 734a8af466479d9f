// The collectives of MPI by the names that OTF2 has for them.
#pragma once

#include <otf2/otf2.h>

#include <optional>

#include "trace/calls/functions.hpp"

namespace reprise::convert::otf2 {

// The function that blocks; none: the operation is no data exchange of MPI.
std::optional<trace::FunctionId> function_of(OTF2_CollectiveOp op);
// Of a function, blocking or not.
OTF2_CollectiveOp op_of(const trace::Function& function);

}  // namespace reprise::convert::otf2
