#include "fit/least_squares.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>

namespace reprise::fit {
namespace {

constexpr std::size_t kMost = 3;
constexpr double kDependent = 1e-10;  // share of a column that is new
constexpr double kAlone = 1e-6;       // share of a row that others tell

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

enum class Signs : std::uint8_t { not_negative, any };

// The solution over some columns by orthogonalisation; nothing if they depend on each other or a
// coefficient has a sign that it may not have.
struct Attempt {
  Solution solution;
  double residual = 0;
};
std::optional<Attempt> attempt(std::span<const std::vector<double>* const> columns, unsigned chosen,
                               std::size_t rows, Signs signs = Signs::not_negative) {
  std::vector<std::vector<double>> q;
  std::vector<std::size_t> which;
  std::array<std::array<double, kMost>, kMost> r{};
  std::array<double, kMost> y{};
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if ((chosen >> c & 1) == 0) continue;
    std::vector<double> rest = *columns[c];
    const double before = std::sqrt(dot(rest, rest));
    for (std::size_t k = 0; k < q.size(); ++k) {
      r[k][q.size()] = dot(q[k], rest);
      for (std::size_t i = 0; i < rows; ++i) rest[i] -= r[k][q.size()] * q[k][i];
    }
    const double length = std::sqrt(dot(rest, rest));
    if (!(length > kDependent * before)) return std::nullopt;
    for (double& v : rest) v /= length;
    r[q.size()][q.size()] = length;
    for (const double v : rest) y[q.size()] += v;
    q.push_back(std::move(rest));
    which.push_back(c);
  }
  Attempt out;
  out.solution.coefficients.assign(columns.size(), 0);
  for (std::size_t k = q.size(); k-- > 0;) {
    double v = y[k];
    for (std::size_t j = k + 1; j < q.size(); ++j) {
      v -= r[k][j] * out.solution.coefficients[which[j]];
    }
    v /= r[k][k];
    if (v < 0 && signs == Signs::not_negative) return std::nullopt;
    out.solution.coefficients[which[k]] = v;
  }
  for (std::size_t i = 0; i < rows; ++i) {
    double fitted = 0;
    double leverage = 0;
    for (std::size_t k = 0; k < q.size(); ++k) {
      fitted += q[k][i] * y[k];
      leverage += q[k][i] * q[k][i];
    }
    // A row that alone determines a coefficient says nothing of how well it would be predicted.
    if (signs == Signs::any && 1 - leverage < kAlone) return std::nullopt;
    out.residual += (1 - fitted) * (1 - fitted);
    out.solution.left_out.push_back((1 - fitted) / std::max(1 - leverage, 1e-6));
  }
  return out;
}

}  // namespace

Solution solve_relative(std::span<const std::vector<double>* const> columns, std::size_t rows) {
  const unsigned all = (1U << columns.size()) - 1;
  if (auto full = attempt(columns, all, rows)) return std::move(full->solution);
  std::optional<Attempt> best;
  for (unsigned chosen = 1; chosen < all; ++chosen) {
    auto a = attempt(columns, chosen, rows);
    if (a && (!best || a->residual < best->residual)) best = std::move(a);
  }
  if (best) return std::move(best->solution);
  return {std::vector<double>(columns.size(), 0.0), std::vector<double>(rows, 1.0)};
}

std::optional<Solution> solve_relative_signed(std::span<const std::vector<double>* const> columns,
                                              std::size_t rows) {
  auto all = attempt(columns, (1U << columns.size()) - 1, rows, Signs::any);
  if (!all) return std::nullopt;
  return std::move(all->solution);
}

}  // namespace reprise::fit
