#include "program/laws/line.hpp"

#include "program/laws/scaled.hpp"

namespace reprise::program {

using expr::Expr;

namespace {
// With steeper slopes, sums of products with indices could overflow.
constexpr std::int64_t kMostSlope = std::int64_t{1} << 40;
}  // namespace

std::optional<Line> line_through(std::span<const std::int64_t> values, const Indices& indices,
                                 std::span<const std::size_t> executions) {
  const std::size_t n = indices.size();
  std::vector<std::optional<std::int64_t>> slope(n);
  for (std::size_t k = 1; k < executions.size(); ++k) {
    const std::size_t here = executions[k], before = executions[k - 1];
    std::int64_t rise = values[here] - values[before];
    std::optional<std::size_t> unknown;
    for (std::size_t j = 0; j < n; ++j) {
      const std::int64_t run = indices[j][here] - indices[j][before];
      if (run == 0) continue;
      if (!slope[j] && unknown) return std::nullopt;
      if (!slope[j]) unknown = j;
      rise -= slope[j].value_or(0) * run;
    }
    if (!unknown) continue;
    const std::int64_t run = indices[*unknown][here] - indices[*unknown][before];
    if (rise % run != 0) return std::nullopt;
    const std::int64_t found = rise / run;
    if (found > kMostSlope || found < -kMostSlope) return std::nullopt;
    slope[*unknown] = found;
  }
  Line out{values[executions.front()], {}};
  for (std::size_t j = 0; j < n; ++j) {
    out.slopes.push_back(slope[j].value_or(0));
    out.first -= out.slopes.back() * indices[j][executions.front()];
  }
  for (const std::size_t k : executions) {
    std::int64_t sum = out.first;
    for (std::size_t j = 0; j < n; ++j) sum += out.slopes[j] * indices[j][k];
    if (sum != values[k]) return std::nullopt;
  }
  return out;
}

Expr expression_of(const Line& line, std::size_t scope) {
  std::optional<Expr> out;
  const auto term = [&](std::size_t j) {
    const std::int64_t slope = line.slopes[j];
    return scaled(Expr::variable(loop_index(scope + j)), slope < 0 ? -slope : slope);
  };
  for (std::size_t j = 0; j < line.slopes.size(); ++j) {
    if (line.slopes[j] > 0) out = out ? *out + term(j) : term(j);
  }
  const bool grows = out.has_value();
  if (!grows) out = Expr(line.first);
  for (std::size_t j = 0; j < line.slopes.size(); ++j) {
    if (line.slopes[j] < 0) out = *out - term(j);
  }
  return grows ? plus(*out, line.first) : *out;
}

}  // namespace reprise::program
