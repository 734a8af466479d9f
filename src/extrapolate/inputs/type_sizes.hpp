// Sizes of the datatypes of a whole trace.
#pragma once

#include "extrapolate/inputs/executed_values.hpp"
#include "mpi/type_sizes.hpp"

namespace reprise::extrapolate {

// Datatypes are numbered by each process for itself: known is a size that all ranks have, whenever
// they make a datatype of that number. None is if the budget does not last.
mpi::TypeSizes type_sizes(const trace::Trace& trace, Budget& budget);

}  // namespace reprise::extrapolate
