// Whether samples are evidence of a law: it has to be shorter than the list of values that it
// explains (minimum description length; Rissanen 1978).
//
// Among all expressions of some length there is one for any few numbers. What takes about as many
// bits to write down as the numbers themselves says nothing about numbers that were not seen.
#pragma once

#include "expr/expr.hpp"
#include "infer/samples.hpp"

namespace reprise::extrapolate {

// What the values take to write down [bits]: each different one once, and for each sample, or each
// stretch of ranks if that takes less, which of them it has.
double bits_of_values(const infer::Samples& samples);

// A law may be a little longer than that, since values have more in common than is counted here.
bool is_evidence(const infer::Samples& samples, const expr::Expr& law);

}  // namespace reprise::extrapolate
