// Laws of times: what a duration is as a function of the number of ranks, and of further variables,
// from few and noisy points.
//
// A curve is a constant plus one term (two from seven points on) with coefficients that are not
// negative, fitted with weights 1/y^2, so that a small time counts as much as a large one. The
// terms are those of performance modeling (Calotoiu et al. 2013) and negative exponents besides:
// P, log P, sqrt P, P^-1/2, P^-2/3, P^-1/3, 1/P, log P / P, P log P, P^2. The curve with the least
// leave-one-out error wins, in closed form e / (1 - h); the constant is preferred within one
// standard error. All fields of a histogram get curves of one shape, chosen together. Intervals
// come from a bootstrap that chooses the shape anew each time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace reprise::fit {

// variable^exponent * log2(variable)^logs
struct Factor {
  std::size_t variable = 0;
  double exponent = 0;
  int logs = 0;

  bool operator==(const Factor&) const = default;
};

// A product; empty: the constant 1.
using CurveTerm = std::vector<Factor>;
double value_of(const CurveTerm& term, std::span<const double> point);

struct CurveSamples {
  std::vector<std::string> variables;       // the number of ranks first
  std::vector<std::vector<double>> points;  // [points x variables], positive
  // Each field's measurements: [fields x points x repetitions], one repetition or more; not
  // negative.
  std::vector<std::vector<std::vector<double>>> fields;
  // So many of the first fields choose the shape, and the others follow; 0: all choose.
  std::size_t deciding = 0;
  // How many of the variables, the last ones, are measures of what takes the time: each is a term
  // as it is, without powers and products, and two of them may come together. These may be 0.
  std::size_t measures = 0;
};

// coefficients[0] * value of terms[0] + ...; in the unit of the field.
struct Curve {
  std::vector<CurveTerm> terms;
  std::vector<double> coefficients;

  double at(std::span<const double> point) const;
  // "0.5 + 12 * log2(ranks) * ranks^-1"
  std::string describe(std::span<const std::string> variables) const;
};

struct CurveFit {
  std::vector<Curve> curves;  // of each field
  double error = 0;  // leave-one-out, relative, root of the mean square over points and fields
  // The next best shape, where the order of the two is not resolved: their errors are within one
  // standard error.
  std::vector<Curve> runner_up;
};

// REQUIRES: a point and a field at least; each field has measurements of each point.
// Cost: microseconds for a few points; shapes x fields x points.
CurveFit fit_curves(const CurveSamples& samples);

// A value, and the interval that covers the truth with probability 0.95 where a shape of ours is
// the truth's.
struct Estimate {
  double value = 0;
  double low = 0;
  double high = 0;
};

// Each field at a point. Repetitions are resampled; where a field has a single one of each point,
// residuals are. The same for the same samples. Cost: `resamples` fits.
std::vector<Estimate> predict(const CurveSamples& samples, const CurveFit& fit,
                              std::span<const double> point, std::size_t resamples = 200);

}  // namespace reprise::fit
