// Sizes of the datatypes of a whole trace.
#pragma once

#include "extrapolate/verify/executed_values.hpp"
#include "mpi/payloads/type_sizes.hpp"

namespace reprise::extrapolate {

// Each process numbers its own datatypes. A size is known if all ranks have it whenever they create
// a datatype of that number. No size is known if the budget is used up.
mpi::TypeSizes type_sizes(const trace::Trace& trace, Budget& budget);

}  // namespace reprise::extrapolate
