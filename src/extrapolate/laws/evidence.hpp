// How much samples say of a law: it has to be shorter than the list of values that it explains
// (minimum description length; Rissanen 1978), for which the solver counts them as a set
// (solve/description.hpp). On a grid that nothing else shows their stretches are counted, too.
#pragma once

#include "infer/samples.hpp"

namespace reprise::extrapolate {

// What the values take to write down [bits]: each different one once, and for each sample which of
// them it has.
double bits_of_values(const infer::Samples& samples);
// The same where consecutive samples with one value count once: which, and where the next begins.
double bits_of_stretches(const infer::Samples& samples);

}  // namespace reprise::extrapolate
