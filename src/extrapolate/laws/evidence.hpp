// The evidence of samples for a law: the law has to be shorter than the list of values that it
// explains (minimum description length; Rissanen 1978), for which the solver counts them as a set
// (solve/description.hpp). On a grid without other evidence, stretches of equal samples are
// counted, too.
#pragma once

#include "infer/samples.hpp"

namespace reprise::extrapolate {

// Encoded length of the values [bits]: each different value once, and for each sample the index of
// its value.
double bits_of_values(const infer::Samples& samples);
// The same where consecutive samples with one value count once: which, and where the next begins.
double bits_of_stretches(const infer::Samples& samples);

}  // namespace reprise::extrapolate
