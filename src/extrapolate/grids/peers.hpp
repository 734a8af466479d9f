// The peers of a call site in its first executions.
#pragma once

#include <cstdint>
#include <vector>

#include "extrapolate/inputs/align.hpp"
#include "infer/samples.hpp"

namespace reprise::extrapolate {

// By execution, for the first few; fewer where a rank makes fewer, or a value is neither a rank nor
// MPI_PROC_NULL, or fewer than two inputs make the call.
std::vector<infer::Samples> first_peers(const Aligned& inputs, std::uint32_t site,
                                        std::size_t column);

}  // namespace reprise::extrapolate
