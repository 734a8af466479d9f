#include "fit/curves.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/hash.hpp"
#include "fit/mean.hpp"
#include "fit/shapes.hpp"

namespace reprise::fit {
namespace {

constexpr double kTail = 0.025;

// Counts through the splitmix64 sequence: the same numbers on every machine.
class Draw {
 public:
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(mix(counter_++) % n); }

 private:
  std::uint64_t counter_ = 0;
};

// The mean of as many repetitions, drawn with replacement. Its deviation is enlarged by sqrt(n / (n
// - 1)), since draws from n values vary that much less than the values' source.
double resampled_mean(const std::vector<double>& repetitions, Draw& draw) {
  const std::size_t n = repetitions.size();
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += repetitions[draw.below(n)];
  const auto count = static_cast<double>(n);
  const double mean = mean_of(repetitions);
  return std::max(0.0, mean + (sum / count - mean) * std::sqrt(count / (count - 1)));
}

using Means = std::vector<std::vector<double>>;

Means means_of(const CurveSamples& samples) {
  Means means;
  for (const auto& field : samples.fields) {
    auto& of_field = means.emplace_back();
    for (const auto& repetitions : field) of_field.push_back(mean_of(repetitions));
  }
  return means;
}

// Relative variance of the means of the deciding fields, as repetitions tell it; 0 if there are
// none.
double noise_of(const CurveSamples& samples) {
  const std::size_t deciding = samples.deciding == 0 ? samples.fields.size() : samples.deciding;
  double sum = 0;
  std::size_t n = 0;
  for (std::size_t f = 0; f < deciding; ++f) {
    for (const std::vector<double>& repetitions : samples.fields[f]) {
      const double mean = mean_of(repetitions);
      if (repetitions.size() < 2 || !(mean > 0)) continue;
      double squares = 0;
      for (const double v : repetitions) squares += (v - mean) * (v - mean);
      const auto count = static_cast<double>(repetitions.size());
      sum += squares / (count - 1) / count / (mean * mean);
      ++n;
    }
  }
  return n == 0 ? 0 : sum / static_cast<double>(n);
}

ShapeChoice::Grounds grounds_of(const CurveSamples& samples) {
  return {samples.deciding, noise_of(samples)};
}

// How far the means of a field are from its curve: relative residuals, enlarged for the
// coefficients that were fitted.
std::vector<double> residuals_of(const CurveSamples& samples, const Curve& curve,
                                 const std::vector<double>& means) {
  const auto points = static_cast<double>(means.size());
  const double free = points - static_cast<double>(curve.terms.size());
  const double enlarge = std::sqrt(points / std::max(free, 1.0));
  std::vector<double> out;
  for (std::size_t i = 0; i < means.size(); ++i) {
    const double fitted = curve.at(samples.points[i]);
    out.push_back(fitted > 0 ? enlarge * (means[i] / fitted - 1) : 0);
  }
  return out;
}

// The part of the residuals that repetitions do not explain, which varies from point to point.
double unexplained(const std::vector<double>& residuals, double noise) {
  double squares = 0;
  for (const double r : residuals) squares += r * r;
  squares /= static_cast<double>(residuals.size());
  return squares > noise ? std::sqrt(1 - noise / squares) : 0;
}

// Means that another series of measurements might have had.
Means resampled(const CurveSamples& samples, const CurveFit& fit, const Means& means, double noise,
                Draw& draw) {
  Means out = means;
  const std::size_t points = samples.points.size();
  for (std::size_t f = 0; f < means.size(); ++f) {
    const Curve& curve = fit.curves[f];
    const std::vector<double> residuals = residuals_of(samples, curve, means[f]);
    const double beyond = unexplained(residuals, noise);
    for (std::size_t i = 0; i < points; ++i) {
      const double residual = residuals[draw.below(points)];
      if (samples.fields[f][i].size() > 1) {
        out[f][i] = resampled_mean(samples.fields[f][i], draw) * (1 + beyond * residual);
      } else {
        out[f][i] = curve.at(samples.points[i]) * (1 + residual);
      }
      out[f][i] = std::max(0.0, out[f][i]);
    }
  }
  return out;
}

std::string number(double v) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", v);
  return text;
}

std::string describe_factor(const Factor& f, const std::string& name) {
  std::string out;
  if (f.logs > 0) out = "log2(" + name + ")";
  if (f.exponent == 0) return out;
  if (!out.empty()) out += " * ";
  out += name;
  for (const int denominator : {1, 2, 3}) {
    const double numerator = f.exponent * denominator;
    if (std::abs(numerator - std::round(numerator)) > 1e-9) continue;
    if (f.exponent == 1) return out;
    const std::string whole = number(std::round(numerator));
    if (denominator == 1) return out.append("^").append(whole);
    return out.append("^(")
        .append(whole)
        .append("/")
        .append(std::to_string(denominator))
        .append(")");
  }
  return out + "^" + number(f.exponent);
}

}  // namespace

double value_of(const CurveTerm& term, std::span<const double> point) {
  double v = 1;
  for (const Factor& f : term) {
    if (f.exponent != 0) v *= std::pow(point[f.variable], f.exponent);
    for (int i = 0; i < f.logs; ++i) v *= std::log2(point[f.variable]);
  }
  return v;
}

double Curve::at(std::span<const double> point) const {
  double v = 0;
  for (std::size_t i = 0; i < terms.size(); ++i) v += coefficients[i] * value_of(terms[i], point);
  return v;
}

std::string Curve::describe(std::span<const std::string> variables) const {
  std::string out;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (coefficients[i] == 0) continue;
    if (!out.empty()) out += " + ";
    out += number(coefficients[i]);
    for (const Factor& f : terms[i]) out += " * " + describe_factor(f, variables[f.variable]);
  }
  return out.empty() ? "0" : out;
}

CurveFit fit_curves(const CurveSamples& samples) {
  const ShapeChoice choice(samples.points, samples.measures);
  auto chosen =
      choice.choose(means_of(samples), grounds_of(samples), ShapeChoice::RunnerUp::wanted);
  return {std::move(chosen.curves), chosen.error, std::move(chosen.runner_up)};
}

std::vector<Estimate> predict(const CurveSamples& samples, const CurveFit& fit,
                              std::span<const double> point, std::size_t resamples) {
  const ShapeChoice choice(samples.points, samples.measures);
  const Means means = means_of(samples);
  std::vector<std::vector<double>> drawn(means.size());
  const ShapeChoice::Grounds grounds = grounds_of(samples);
  Draw draw;
  for (std::size_t i = 0; i < resamples; ++i) {
    const auto again = choice.choose(resampled(samples, fit, means, grounds.noise, draw), grounds,
                                     ShapeChoice::RunnerUp::unwanted);
    for (std::size_t f = 0; f < means.size(); ++f) drawn[f].push_back(again.curves[f].at(point));
  }
  std::vector<Estimate> out;
  for (std::size_t f = 0; f < means.size(); ++f) {
    const double value = fit.curves[f].at(point);
    Estimate e{value, value, value};
    if (!drawn[f].empty()) {
      std::sort(drawn[f].begin(), drawn[f].end());
      const auto last = static_cast<double>(drawn[f].size() - 1);
      e.low = std::min(value, drawn[f][static_cast<std::size_t>(std::floor(kTail * last))]);
      e.high = std::max(value, drawn[f][static_cast<std::size_t>(std::ceil((1 - kTail) * last))]);
    }
    out.push_back(e);
  }
  return out;
}

}  // namespace reprise::fit
