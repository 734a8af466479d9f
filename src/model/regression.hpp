// Ordinary least squares with what a reader of coefficients needs: standard errors, significance,
// and how much of the variation is explained.
#pragma once

#include <cstddef>
#include <vector>

namespace reprise::model {

struct Coefficient {
  double value = 0;
  double error = 0;            // standard error; 0 where there are no more points than coefficients
  bool is_significant = true;  // differs from 0 at 95 %; where no error is known: it is not 0

  // Half the width of the 95 % interval.
  double margin = 0;
};

struct Regression {
  std::vector<Coefficient> coefficients;  // [columns]
  double r_squared = 1;
  std::size_t freedom = 0;  // rows - columns
};

// Minimizes the sum of weight x (y - row . coefficients)^2. Columns may differ in size by many
// orders of magnitude: they are scaled first. Linearly dependent columns get 0.
// REQUIRES: rows, y and weights of one length, at least one row. Cost: rows x columns^2.
Regression regress(const std::vector<std::vector<double>>& rows, const std::vector<double>& y,
                   const std::vector<double>& weights);

// The number that a t variable exceeds in absolute value once in 20 times.
double t_95(std::size_t freedom);

}  // namespace reprise::model
