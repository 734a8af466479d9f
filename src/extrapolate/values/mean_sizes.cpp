#include "extrapolate/values/mean_sizes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "expr/simplify.hpp"

namespace reprise::extrapolate {
namespace {

using expr::Expr;
using expr::Op;

constexpr std::uint64_t kMostValues = std::uint64_t{1} << 22;  // of a run
// Of totals and factors: doubles have all integers up to there, and those times 1000 fit into 63
// bits.
constexpr double kLargest = 0x1p52;

// A power of the number of ranks: sizes of volumes and surfaces, of all ranks or between two.
struct Power {
  double exponent;
  std::int64_t scale;  // of `term`: roots are rounded down to integers
  // The power; of a negative exponent `scale` divided by it.
  Expr (*term)(const Expr& ranks);
};

Expr root_of(Op op, const Expr& e) { return Expr::make(op, e); }

const std::array<Power, 7> kPowers = {{
    {0, 1, [](const Expr&) { return Expr(1); }},
    {-1, 1, [](const Expr& p) { return p; }},
    {-2, 1, [](const Expr& p) { return p * p; }},
    {-1.0 / 2, 1000, [](const Expr& p) { return root_of(Op::sqrt, p * Expr(1'000'000)); }},
    {-1.0 / 3, 1000, [](const Expr& p) { return root_of(Op::cbrt, p * Expr(1'000'000'000)); }},
    {-2.0 / 3, 10, [](const Expr& p) { return root_of(Op::cbrt, p * p * Expr(1000)); }},
    {1, 1, [](const Expr& p) { return p; }},
}};

struct Total {
  double sum = 0;
  std::uint64_t values = 0;  // none: the run has no such call
};

// Over all ranks and executions of a run. Nothing if a value is no size, or there are too many.
std::optional<Total> total_of(const SlotView& sizes, std::size_t run) {
  Total out;
  const auto ranks = static_cast<std::size_t>(sizes.inputs().runs[run].ranks);
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const trace::Series& series = sizes.series(run, rank, trace::Encoding::absolute);
    if (series.empty()) continue;
    trace::SeriesCursor values(series);
    for (SlotWalk walk = sizes.walk(run, rank); walk.next(); ++out.values) {
      const std::int64_t value = values.next();
      if (value < 0 || out.values == kMostValues) return std::nullopt;
      out.sum += static_cast<double>(value);
    }
  }
  return out;
}

struct Mean {
  std::int64_t ranks = 0;
  double value = 0;
};

// The factor of a power with the least squared error of logarithms, and that error.
struct Fitted {
  double factor = 0;
  double error = std::numeric_limits<double>::infinity();
};
Fitted fit_power(const std::vector<Mean>& means, double exponent) {
  std::vector<double> factors;  // their logarithms
  for (const Mean& m : means) {
    factors.push_back(std::log(m.value) - exponent * std::log(static_cast<double>(m.ranks)));
  }
  double mean = 0;
  for (const double f : factors) mean += f / static_cast<double>(factors.size());
  double error = 0;
  for (const double f : factors) error += (f - mean) * (f - mean);
  return {std::exp(mean), error};
}

// The factor times the power, rounded to the nearest integer.
Expr expression_of(const Power& power, double factor) {
  const Expr term = power.term(Expr::variable(expr::kRanks));
  if (power.exponent > 0) {
    constexpr std::int64_t kParts = 1000;
    const auto parts = std::llround(factor * kParts);
    return (Expr(parts) * term + Expr(kParts / 2)) / Expr(kParts);
  }
  const Expr whole(std::llround(factor * static_cast<double>(power.scale)));
  return power.exponent == 0 ? whole : (whole + term / Expr(2)) / term;
}

}  // namespace

bool is_size(const trace::Function& function, std::uint32_t column) {
  const auto scalars = static_cast<std::uint32_t>(function.scalars.size());
  if (column < scalars) return function.scalars[column].kind == trace::Kind::count;
  if ((column - scalars) % 2 == 0) return false;
  const auto list = static_cast<int>((column - scalars) / 2);
  return std::ranges::any_of(function.payloads, [list](const trace::Payload& p) {
    return p.blocks == trace::Blocks::listed && p.count == list;
  });
}

std::optional<Law> find_mean_size(const SlotView& sizes) {
  std::vector<Mean> means;
  const auto& runs = sizes.inputs().runs;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    if (sizes.inputs().problem.of_run(run) != sizes.inputs().problem.of_run(0)) return std::nullopt;
    const auto total = total_of(sizes, run);
    if (!total || total->sum >= kLargest) return std::nullopt;
    if (total->values == 0) continue;
    if (total->sum == 0) return std::nullopt;
    means.push_back({runs[run].ranks, total->sum / static_cast<double>(total->values)});
  }
  if (means.size() < 2) return std::nullopt;
  const Power* best = nullptr;
  Fitted fitted;
  for (const Power& power : kPowers) {
    const Fitted here = fit_power(means, power.exponent);
    if (here.error < fitted.error) {
      best = &power;
      fitted = here;
    }
  }
  if (best == nullptr || fitted.factor >= kLargest) return std::nullopt;
  Law law{.form = Law::Form::indexed};
  law.number.expression = expr::simplify(expression_of(*best, fitted.factor));
  law.number.standing = solve::Standing::approximate;
  return law;
}

}  // namespace reprise::extrapolate
