#include "extrapolate/fit_table.hpp"

namespace reprise::extrapolate {
namespace {

constexpr std::size_t kMostFitted = 240;  // rows

// Every row, or every n-th if there are too many.
fit::ExactSamples fitted_rows(const infer::Table& table) {
  fit::ExactSamples out{table.names, {}, {}, table.probes};
  const std::size_t stride = table.rows() / kMostFitted + 1;
  for (std::size_t i = 0; i < table.rows(); i += stride) {
    out.points.push_back(table.slots[i]);
    out.values.push_back(table.values[i]);
  }
  return out;
}

}  // namespace

fit::ExactLaw fit_table(const infer::Table& table) {
  fit::ExactLaw found = fit::fit_exact(fitted_rows(table));
  if (found.verdict == fit::Verdict::determined && !infer::explains(found.law, table)) {
    return {.verdict = fit::Verdict::unexplained, .refusal = "no law explains the samples"};
  }
  return found;
}

}  // namespace reprise::extrapolate
