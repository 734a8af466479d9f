#include "fit/scalaextrap.hpp"

#include <algorithm>
#include <cmath>

#include "fit/mean.hpp"

namespace reprise::fit {
namespace {

// The relative deviation; 0 for no deviation, even of a mean of 0.
double over(double deviation, double mean) {
  return deviation == 0 ? 0 : deviation / std::abs(mean);
}

// The mean without the value that is farthest from it, and the standard deviation over it.
struct Center {
  double mean;
  double deviation;
};
Center center_without_outlier(std::vector<double> values) {
  const double all = mean_of(values);
  const auto farthest = std::max_element(values.begin(), values.end(), [all](double a, double b) {
    return std::abs(a - all) < std::abs(b - all);
  });
  if (values.size() > 1) values.erase(farthest);
  const double mean = mean_of(values);
  double squares = 0;
  for (const double v : values) squares += (v - mean) * (v - mean);
  return {mean, over(std::sqrt(squares / static_cast<double>(values.size())), mean)};
}

// y = slope * x + intercept by least squares, and the root of the residual over the mean of the
// estimates.
struct Line {
  double slope;
  double intercept;
  double deviation;
};
Line least_squares(std::span<const double> x, std::span<const double> y) {
  const double mean_x = mean_of(x);
  const double mean_y = mean_of(y);
  double xx = 0;
  double xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  Line line{xx > 0 ? xy / xx : 0, 0, 0};
  line.intercept = mean_y - line.slope * mean_x;
  double residual = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double e = y[i] - line.slope * x[i] - line.intercept;
    residual += e * e;
  }
  line.deviation = over(std::sqrt(residual), mean_y);
  return line;
}

}  // namespace

double PaperCurve::at(double ranks) const {
  switch (model) {
    case PaperModel::constant: return constant;
    case PaperModel::linear: return factor * ranks + constant;
    case PaperModel::inverse:
    case PaperModel::inverse_constant: return factor / ranks + constant;
  }
  return constant;
}

std::array<PaperCurve, kPaperModels> fit_paper(std::span<const double> ranks,
                                               std::span<const double> times) {
  std::vector<double> products;
  for (std::size_t i = 0; i < times.size(); ++i) products.push_back(times[i] * ranks[i]);
  const Center constant = center_without_outlier({times.begin(), times.end()});
  const Center inverse = center_without_outlier(products);
  Line linear = least_squares(ranks, times);
  if (std::abs(linear.slope) < kLeastSlope) linear.slope = 0;
  const Line both = least_squares(ranks, products);
  return {PaperCurve{PaperModel::constant, 0, constant.mean, constant.deviation},
          PaperCurve{PaperModel::linear, linear.slope, linear.intercept, linear.deviation},
          PaperCurve{PaperModel::inverse, inverse.mean, 0, inverse.deviation},
          PaperCurve{PaperModel::inverse_constant, both.intercept, both.slope, both.deviation}};
}

std::optional<PaperModel> clear_winner(std::span<const PaperCurve> curves) {
  for (const PaperCurve& candidate : curves) {
    const bool wins = std::all_of(curves.begin(), curves.end(), [&](const PaperCurve& other) {
      return other.model == candidate.model || candidate.deviation + kClearWin < other.deviation;
    });
    if (wins) return candidate.model;
  }
  return std::nullopt;
}

std::vector<PaperCurve> choose_paper(std::span<const double> ranks,
                                     const std::vector<std::vector<double>>& fields) {
  std::vector<std::array<PaperCurve, kPaperModels>> fits;
  std::array<std::size_t, kPaperModels> votes{};
  for (const auto& times : fields) {
    fits.push_back(fit_paper(ranks, times));
    if (const auto winner = clear_winner(fits.back())) ++votes[static_cast<std::size_t>(*winner)];
  }
  const auto most = std::max_element(votes.begin(), votes.end());
  std::vector<PaperCurve> out;
  for (const auto& curves : fits) {
    if (const auto winner = clear_winner(curves)) {
      out.push_back(curves[static_cast<std::size_t>(*winner)]);
    } else if (*most > 0) {
      out.push_back(curves[static_cast<std::size_t>(most - votes.begin())]);
    } else {
      out.push_back(*std::min_element(
          curves.begin(), curves.end(),
          [](const PaperCurve& a, const PaperCurve& b) { return a.deviation < b.deviation; }));
    }
  }
  return out;
}

}  // namespace reprise::fit
