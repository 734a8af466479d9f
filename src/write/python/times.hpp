// What a program computes before each call, as tables for the runtime part.
#pragma once

#include "write/names.hpp"
#include "write/python/parts.hpp"
#include "write/python/syntax.hpp"
#include "write/times/computations.hpp"

namespace reprise::write::python {

// The table COMPUTE of a program: by site, the time before the call [ns]; and the distributions
// that it draws from. `sites`: how many there are. `streams`: of the trace.
Block compute_table(const times::Computations& found, std::size_t sites, std::uint64_t streams,
                    Names& names, Parts& parts);

}  // namespace reprise::write::python
