#include "model/regression.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace reprise::model {
namespace {

using Matrix = std::vector<std::vector<double>>;

// Inverts a symmetric matrix of scaled columns by elimination; rows without a pivot become zero.
Matrix invert(Matrix a) {
  constexpr double kSingular = 1e-12;
  const std::size_t n = a.size();
  Matrix out(n, std::vector<double>(n));
  for (std::size_t i = 0; i < n; ++i) out[i][i] = 1;
  std::vector<bool> dependent(n);
  for (std::size_t c = 0; c < n; ++c) {
    if (std::abs(a[c][c]) < kSingular) {
      dependent[c] = true;
      continue;
    }
    const double pivot = a[c][c];
    for (std::size_t k = 0; k < n; ++k) {
      a[c][k] /= pivot;
      out[c][k] /= pivot;
    }
    for (std::size_t r = 0; r < n; ++r) {
      if (r == c) continue;
      const double factor = a[r][c];
      for (std::size_t k = 0; k < n; ++k) {
        a[r][k] -= factor * a[c][k];
        out[r][k] -= factor * out[c][k];
      }
    }
  }
  for (std::size_t c = 0; c < n; ++c) {
    for (std::size_t k = 0; k < n; ++k) {
      if (dependent[c] || dependent[k]) out[c][k] = 0;
    }
  }
  return out;
}

}  // namespace

double t_95(std::size_t freedom) {
  static constexpr double kTable[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365,
                                      2.306,  2.262, 2.228, 2.201, 2.179, 2.160, 2.145,
                                      2.131,  2.120, 2.110, 2.101, 2.093, 2.086};
  if (freedom == 0) return 0;
  if (freedom <= std::size(kTable)) return kTable[freedom - 1];
  // 1.96 and the first terms in 1 / freedom.
  const auto n = static_cast<double>(freedom);
  return 1.95996 + 2.37227 / n + 2.8225 / (n * n);
}

Regression regress(const Matrix& rows, const std::vector<double>& y,
                   const std::vector<double>& weights) {
  const std::size_t n = rows.size(), columns = rows.front().size();
  std::vector<double> scale(columns);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t c = 0; c < columns; ++c) scale[c] += weights[i] * rows[i][c] * rows[i][c];
  }
  for (double& s : scale) s = s > 0 ? std::sqrt(s) : 1;
  Matrix normal(columns, std::vector<double>(columns));
  std::vector<double> right(columns);
  double sum_y = 0, sum_w = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t c = 0; c < columns; ++c) {
      right[c] += weights[i] * rows[i][c] / scale[c] * y[i];
      for (std::size_t k = 0; k < columns; ++k)
        normal[c][k] += weights[i] * rows[i][c] / scale[c] * rows[i][k] / scale[k];
    }
    sum_y += weights[i] * y[i];
    sum_w += weights[i];
  }
  const Matrix inverse = invert(normal);
  Regression out;
  out.coefficients.resize(columns);
  for (std::size_t c = 0; c < columns; ++c) {
    for (std::size_t k = 0; k < columns; ++k)
      out.coefficients[c].value += inverse[c][k] * right[k] / scale[c];
  }
  double residual = 0, total = 0;
  const double mean = sum_w > 0 ? sum_y / sum_w : 0;
  for (std::size_t i = 0; i < n; ++i) {
    double fitted = 0;
    for (std::size_t c = 0; c < columns; ++c) fitted += out.coefficients[c].value * rows[i][c];
    residual += weights[i] * (y[i] - fitted) * (y[i] - fitted);
    total += weights[i] * (y[i] - mean) * (y[i] - mean);
  }
  out.r_squared = total > 0 ? 1 - residual / total : 1;
  out.freedom = n > columns ? n - columns : 0;
  for (std::size_t c = 0; c < columns; ++c) {
    Coefficient& b = out.coefficients[c];
    if (out.freedom > 0) {
      const double variance = residual / static_cast<double>(out.freedom) * inverse[c][c];
      b.error = std::sqrt(std::max(0.0, variance)) / scale[c];
    }
    b.margin = t_95(out.freedom) * b.error;
    b.is_significant = b.value != 0 && std::abs(b.value) > b.margin;
  }
  return out;
}

}  // namespace reprise::model
