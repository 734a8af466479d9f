// Processes of a run that never happened, for any number of ranks: what the benchmarks of merging
// and reading work on.
#pragma once

#include "compress/process.hpp"

namespace reprise::bench {

enum class Program {
  stencil,    // a 2-D grid without wrap-around, a reduction every ten steps
  irregular,  // every rank has partners and sizes of its own, the same in each step
  entropy,    // one partner; sizes that never repeat
};

// What `rank` of `ranks` leaves after `steps` steps.
compress::Process execute(Program program, std::uint64_t rank, std::uint64_t ranks,
                          std::uint64_t steps);

}  // namespace reprise::bench
