// SimGrid's time-independent traces, for `smpirun -replay`: a file for each rank.
#pragma once

#include "convert/steps.hpp"
#include "convert/text_file.hpp"

namespace reprise::convert {

// `flops`: what a host of the platform computes in a second.
void write_time_independent(const Steps& steps, std::uint64_t rank, double flops, TextFile& out);

}  // namespace reprise::convert
