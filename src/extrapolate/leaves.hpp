// Which leaves a law needs: those without which the samples contradict each other.
#pragma once

#include "infer/samples.hpp"

namespace reprise::extrapolate {

struct Needed {
  infer::Samples samples;  // with the parameters that are needed
  bool rank = true;        // if not, one rank stands for all of a world: number 0
};

// Drops the rank, then the parameters that are not declared, in their order, each if the value is a
// function of what is left. Rows that say the same become one. Cost: rows x parameters.
Needed drop_needless(const infer::Samples& samples);

}  // namespace reprise::extrapolate
