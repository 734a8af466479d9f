#include "fit/shapes.hpp"

#include <algorithm>
#include <cmath>

#include "fit/least_squares.hpp"
#include "fit/mean.hpp"

namespace reprise::fit {
namespace {

constexpr std::size_t kPointsForTwoTerms = 7;
constexpr std::size_t kPointsForTwoMeasures = 5;
constexpr double kAlike = 1e-6;
constexpr double kFarTimes = 16;
// Leaving a constant out adds its error to the residuals. Chance explains up to this many variances
// of the means.
constexpr double kNoise = 4;

// Terms of the number of ranks, and of other variables.
std::vector<Factor> factors_of_ranks() {
  return {{0, 1, 0},        {0, 0, 1},  {0, 0.5, 0}, {0, -0.5, 0}, {0, -2.0 / 3, 0},
          {0, -1.0 / 3, 0}, {0, -1, 0}, {0, -1, 1},  {0, 1, 1},    {0, 2, 0}};
}
std::vector<Factor> factors_of(std::size_t variable) {
  return {{variable, 1, 0}, {variable, 2, 0},   {variable, 3, 0},
          {variable, 1, 1}, {variable, 0.5, 0}, {variable, 2.0 / 3, 0}};
}

bool varies(const std::vector<std::vector<double>>& points, std::size_t variable) {
  return std::any_of(points.begin(), points.end(),
                     [&](const auto& p) { return p[variable] != points[0][variable]; });
}

std::vector<CurveTerm> make_terms(const std::vector<std::vector<double>>& points,
                                  std::size_t variables) {
  std::vector<CurveTerm> terms;
  if (varies(points, 0)) {
    for (const Factor& f : factors_of_ranks()) terms.push_back({f});
  }
  for (std::size_t variable = 1; variable < variables; ++variable) {
    if (!varies(points, variable)) continue;
    const std::vector<CurveTerm> before = terms;
    for (const Factor& f : factors_of(variable)) {
      terms.push_back({f});
      for (CurveTerm product : before) {
        product.push_back(f);
        terms.push_back(std::move(product));
      }
    }
  }
  return terms;
}

double standard_error(const std::vector<double>& values) {
  if (values.size() < 2) return 0;
  const double mean = mean_of(values);
  double squares = 0;
  for (const double v : values) squares += (v - mean) * (v - mean);
  const auto n = static_cast<double>(values.size());
  return std::sqrt(squares / (n - 1) / n);
}

}  // namespace

std::vector<Shape> make_shapes(const std::vector<std::vector<double>>& points,
                               std::size_t measures) {
  const std::size_t variables = points[0].size() - measures;
  std::vector<CurveTerm> terms = make_terms(points, variables);
  // A time that shrinks with the number of ranks does so because its measure shrinks.
  if (measures > 0) {
    std::erase_if(terms, [](const CurveTerm& t) { return t.size() == 1 && t[0].exponent < 0; });
  }
  const CurveTerm constant;
  std::vector<Shape> shapes = {{constant}};
  if (points.size() > 1) {
    for (const CurveTerm& t : terms) shapes.push_back({t});
  }
  if (points.size() > 2) {
    for (const CurveTerm& t : terms) shapes.push_back({constant, t});
  }
  if (points.size() >= kPointsForTwoTerms) {
    for (std::size_t i = 0; i < terms.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) shapes.push_back({constant, terms[k], terms[i]});
    }
  }
  for (std::size_t m = variables; m < points[0].size(); ++m) {
    if (!varies(points, m) || points.size() < 3) continue;
    const CurveTerm one{{m, 1, 0}};
    shapes.push_back({one});
    shapes.push_back({constant, one});
    for (std::size_t k = variables; k < m; ++k) {
      if (!varies(points, k) || points.size() < kPointsForTwoMeasures) continue;
      shapes.push_back({{{k, 1, 0}}, one});
      shapes.push_back({constant, {{k, 1, 0}}, one});
    }
  }
  return shapes;
}

ShapeChoice::ShapeChoice(const std::vector<std::vector<double>>& points, std::size_t measures)
    : shapes_(make_shapes(points, measures)), points_(points.size()) {
  for (const Shape& shape : shapes_) {
    auto& columns = columns_.emplace_back();
    for (const CurveTerm& term : shape) {
      auto& column = columns.emplace_back();
      for (const auto& point : points) column.push_back(value_of(term, point));
    }
  }
  largest_ = points.front();
  for (const auto& point : points) {
    for (std::size_t v = 0; v < point.size(); ++v) largest_[v] = std::max(largest_[v], point[v]);
  }
  for (const double v : largest_) far_.push_back(kFarTimes * v);
  // Measures are not extrapolated: they keep the values of the last point.
  for (std::size_t v = largest_.size() - measures; v < largest_.size(); ++v) {
    largest_[v] = far_[v] = points.back()[v];
  }
}

ShapeChoice::Fitted ShapeChoice::fit(std::size_t shape,
                                     std::span<const std::vector<double>> means) const {
  Fitted out;
  std::vector<std::vector<double>> scaled = columns_[shape];
  std::vector<const std::vector<double>*> pointers;
  pointers.reserve(scaled.size());
  for (const auto& column : scaled) pointers.push_back(&column);
  for (const std::vector<double>& y : means) {
    const double largest = *std::max_element(y.begin(), y.end());
    if (!(largest > 0)) {
      out.curves.push_back({shapes_[shape], std::vector<double>(scaled.size(), 0.0)});
      out.squares.insert(out.squares.end(), y.size(), 0.0);
      continue;
    }
    // A zero among other values weighs as a thousandth of the largest.
    for (std::size_t i = 0; i < points_; ++i) {
      const double weight = 1 / std::max(y[i], 1e-3 * largest);
      for (std::size_t c = 0; c < scaled.size(); ++c) scaled[c][i] = columns_[shape][c][i] * weight;
    }
    Solution solution = solve_relative(pointers, points_);
    for (const double e : solution.left_out) out.squares.push_back(e * e);
    out.curves.push_back({shapes_[shape], std::move(solution.coefficients)});
  }
  out.mean = mean_of(out.squares);
  return out;
}

// Whether two fits are the same curve, since the further terms of one are 0.
bool ShapeChoice::is_same(std::size_t a, const Fitted& in_a, std::size_t b,
                          const Fitted& in_b) const {
  const auto at = [&](std::size_t shape, const Curve& curve, std::size_t point) {
    double v = 0;
    for (std::size_t t = 0; t < curve.coefficients.size(); ++t) {
      v += curve.coefficients[t] * columns_[shape][t][point];
    }
    return v;
  };
  for (std::size_t f = 0; f < in_a.curves.size(); ++f) {
    for (std::size_t i = 0; i < points_; ++i) {
      const double x = at(a, in_a.curves[f], i);
      const double y = at(b, in_b.curves[f], i);
      if (std::abs(x - y) > kAlike * std::max(x, y)) return false;
    }
  }
  return true;
}

// The shape that grows least among those that the samples do not distinguish from a growing one: a
// wrong guess then does the least harm. Growth is taken from the largest point to where all
// variables are sixteen times as large.
std::size_t ShapeChoice::least_growing(const std::vector<Fitted>& fitted, std::size_t best) const {
  const auto growth = [&](std::size_t shape) {
    const Curve& curve = fitted[shape].curves.front();
    const double here = curve.at(largest_), far = curve.at(far_);
    return here > 0 ? far / here : 1;
  };
  const double open = fitted[best].mean + standard_error(fitted[best].squares);
  std::size_t least = best;
  for (std::size_t s = 0; s < fitted.size(); ++s) {
    if (fitted[s].mean > open || growth(s) < 1) continue;
    if (growth(s) < growth(least)) least = s;
  }
  return least;
}

ShapeChoice::Chosen ShapeChoice::choose(const std::vector<std::vector<double>>& means,
                                        const Grounds& grounds, RunnerUp runner_up) const {
  const std::size_t n = grounds.deciding == 0 ? means.size() : grounds.deciding;
  const std::span deciding = std::span(means).first(n);
  std::vector<Fitted> fitted;
  fitted.reserve(shapes_.size());
  for (std::size_t s = 0; s < shapes_.size(); ++s) fitted.push_back(fit(s, deciding));
  const auto better = [&](std::size_t a, std::size_t b) { return fitted[a].mean < fitted[b].mean; };
  std::size_t best = 0;
  for (std::size_t s = 1; s < fitted.size(); ++s) {
    if (better(s, best)) best = s;
  }
  const double doubt = std::max(standard_error(fitted[best].squares), kNoise * grounds.noise);
  best = fitted[0].mean <= fitted[best].mean + doubt ? 0 : least_growing(fitted, best);
  Chosen out{best, fit(best, means).curves, std::sqrt(fitted[best].mean), {}};
  if (runner_up == RunnerUp::unwanted) return out;
  std::size_t next = best;
  for (std::size_t s = 0; s < fitted.size(); ++s) {
    if (s == best || is_same(s, fitted[s], best, fitted[best])) continue;
    if (next == best || better(s, next)) next = s;
  }
  if (next == best) return out;
  const double open = fitted[best].mean + standard_error(fitted[best].squares);
  if (fitted[next].mean <= open) out.runner_up = fit(next, means).curves;
  return out;
}

}  // namespace reprise::fit
