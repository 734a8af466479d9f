#include "fit/linear.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "expr/simplify.hpp"

namespace reprise::fit {
namespace {

using expr::Expr;
__extension__ using Wide = __int128;

constexpr Wide kLargest = Wide{1} << 62;

bool is_large(Wide v) { return v > kLargest || v < -kLargest; }

// Rows of numbers, one after the other.
class Matrix {
 public:
  Matrix(std::size_t rows, std::size_t columns) : columns_(columns), cells_(rows * columns) {}
  Wide* operator[](std::size_t row) { return cells_.data() + row * columns_; }
  std::size_t rows() const { return cells_.size() / columns_; }
  std::size_t columns() const { return columns_; }

 private:
  std::size_t columns_;
  std::vector<Wide> cells_;
};

// Brings all columns but the last to echelon form; false where they depend on each other or a
// number grows too large.
bool eliminate(Matrix& m) {
  Wide before = 1;
  for (std::size_t step = 0; step + 1 < m.columns(); ++step) {
    std::size_t pivot = step;
    while (pivot < m.rows() && m[pivot][step] == 0) ++pivot;
    if (pivot == m.rows()) return false;
    if (pivot != step) std::swap_ranges(m[step], m[step] + m.columns(), m[pivot]);
    for (std::size_t r = step + 1; r < m.rows(); ++r) {
      for (std::size_t c = step + 1; c < m.columns(); ++c) {
        m[r][c] = (m[step][step] * m[r][c] - m[r][step] * m[step][c]) / before;
        if (is_large(m[r][c])) return false;
      }
      m[r][step] = 0;
    }
    before = m[step][step];
  }
  return true;
}

}  // namespace

std::optional<Combination> solve(std::span<const std::vector<std::int64_t>* const> columns,
                                 std::span<const std::int64_t> values) {
  const std::size_t k = columns.size();
  if (values.size() < k) return std::nullopt;
  Matrix rows(values.size(), k + 1);
  for (std::size_t r = 0; r < values.size(); ++r) {
    for (std::size_t c = 0; c < k; ++c) rows[r][c] = (*columns[c])[r];
    rows[r][k] = values[r];
    if (std::any_of(rows[r], rows[r] + k + 1, is_large)) return std::nullopt;
  }
  if (!eliminate(rows)) return std::nullopt;
  for (std::size_t r = k; r < values.size(); ++r) {
    if (rows[r][k] != 0) return std::nullopt;
  }
  // The last pivot is a denominator of every unknown.
  const Wide denominator = rows[k - 1][k - 1];
  std::vector<Wide> x(k);
  for (std::size_t i = k; i-- > 0;) {
    Wide sum = rows[i][k] * denominator;
    for (std::size_t c = i + 1; c < k; ++c) {
      if (is_large(x[c])) return std::nullopt;
      sum -= rows[i][c] * x[c];
    }
    if (sum % rows[i][i] != 0) return std::nullopt;
    x[i] = sum / rows[i][i];
    if (is_large(x[i])) return std::nullopt;
  }
  Combination out;
  auto common = static_cast<std::int64_t>(denominator);
  for (const Wide v : x) common = std::gcd(common, static_cast<std::int64_t>(v));
  if (denominator < 0) common = -std::abs(common);
  for (const Wide v : x) out.numerators.push_back(static_cast<std::int64_t>(v / common));
  out.denominator = static_cast<std::int64_t>(denominator / common);
  return out;
}

Expr combine(const Combination& combination, std::span<const Expr> terms) {
  std::optional<Expr> sum;
  const auto add = [&](bool positive) {
    for (std::size_t i = 0; i < terms.size(); ++i) {
      const std::int64_t c = combination.numerators[i];
      if (c == 0 || (c > 0) != positive) continue;
      const std::int64_t size = sum ? std::abs(c) : c;
      const Expr part = terms[i].is_constant() ? Expr(size * terms[i].value())
                        : size == 1            ? terms[i]
                                               : Expr(size) * terms[i];
      if (!sum) {
        sum = part;
      } else {
        sum = positive ? *sum + part : *sum - part;
      }
    }
  };
  add(true);
  add(false);
  if (!sum) return 0;
  return combination.denominator == 1 ? *sum : *sum / Expr(combination.denominator);
}

}  // namespace reprise::fit
