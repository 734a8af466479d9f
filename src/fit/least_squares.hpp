// Small weighted least-squares problems, with coefficients that are not negative or with any.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace reprise::fit {

struct Solution {
  std::vector<double> coefficients;  // [columns], zero where a negative one would fit better
  std::vector<double> left_out;  // [rows] relative error e / (1 - h) of each row, were it left out
};

// Minimizes the sum of (1 - sum of coefficient * column / y)^2: `columns` are divided by y already.
// REQUIRES: at most three columns, all of the length `rows`; more rows than columns, or one of
// each. Cost: rows x columns^2 for each subset of the columns that is tried.
Solution solve_relative(std::span<const std::vector<double>* const> columns, std::size_t rows);

// The same with coefficients of any sign. Nothing: columns depend on each other, or one row alone
// determines a coefficient, so that nothing tells how well it would be predicted.
std::optional<Solution> solve_relative_signed(std::span<const std::vector<double>* const> columns,
                                              std::size_t rows);

}  // namespace reprise::fit
