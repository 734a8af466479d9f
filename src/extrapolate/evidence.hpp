// Whether samples are evidence of a law: it has to be shorter than the list of values that it
// explains (minimum description length; Rissanen 1978).
//
// Among all expressions of some length there is one for any few numbers. What takes about as many
// bits to write down as the numbers themselves says nothing about numbers that were not seen.
#pragma once

#include "expr/expr.hpp"
#include "infer/samples.hpp"

namespace reprise::extrapolate {

// What the values take to write down [bits]: each different one once, and for each sample which of
// them it has.
double bits_of_values(const infer::Samples& samples);
// The same where consecutive samples with one value count once: which, and where the next begins.
double bits_of_stretches(const infer::Samples& samples);

// A law may be a little longer than that, since values have more in common than is counted here.
bool is_evidence(const infer::Samples& samples, const expr::Expr& law);
// The same for a law that may be put together by chance, however the values are written down.
bool is_shorter(const infer::Samples& samples, const expr::Expr& law);
// Whether a law that only runs differ in is clearly shorter than its values, one a run, however
// many ranks these have. Two runs are never much evidence, which the standing of their laws says.
// REQUIRES: the samples are on the grid of the law.
bool is_clear_of_runs(const infer::Samples& samples, const expr::Expr& law);

}  // namespace reprise::extrapolate
