// Exact laws (fit/exact.hpp) of the rows of a table.
#pragma once

#include "fit/exact.hpp"
#include "infer/samples.hpp"

namespace reprise::extrapolate {

// The law is found from some rows, if there are many, and explains all. Cost: that of
// fit::fit_exact, and of evaluating the law on every row.
fit::ExactLaw fit_table(const infer::Table& table);

}  // namespace reprise::extrapolate
