// The shapes that curves may have, and their comparison.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fit/curves.hpp"

namespace reprise::fit {

using Shape = std::vector<CurveTerm>;

// The constant first, then the others by their number of terms. Variables that do not vary over the
// points have no part. `measures`: CurveSamples::measures.
std::vector<Shape> make_shapes(const std::vector<std::vector<double>>& points,
                               std::size_t measures = 0);

// Fits shapes to the means of the fields. The columns are computed once, for many fits.
class ShapeChoice {
 public:
  explicit ShapeChoice(const std::vector<std::vector<double>>& points, std::size_t measures = 0);

  struct Chosen {
    std::size_t shape = 0;
    std::vector<Curve> curves;  // of each field
    double error = 0;           // root of the mean square of the relative errors, left out
    std::vector<Curve> runner_up;
  };
  // What the shape is chosen by.
  struct Grounds {
    std::size_t deciding = 0;  // of the first fields; 0: all
    double noise = 0;          // relative variance of the means of those
  };
  enum class RunnerUp : std::uint8_t { wanted, unwanted };
  // `means` is [fields x points].
  Chosen choose(const std::vector<std::vector<double>>& means, const Grounds& grounds,
                RunnerUp runner_up) const;

 private:
  struct Fitted {
    std::vector<Curve> curves;
    std::vector<double> squares;  // [fields x points] of the errors, left out
    double mean = 0;
  };
  Fitted fit(std::size_t shape, std::span<const std::vector<double>> means) const;
  std::size_t least_growing(const std::vector<Fitted>& fitted, std::size_t best) const;
  bool is_same(std::size_t a, const Fitted& in_a, std::size_t b, const Fitted& in_b) const;

  std::vector<Shape> shapes_;
  std::vector<std::vector<std::vector<double>>> columns_;  // [shapes x terms x points]
  std::size_t points_;
  std::vector<double> largest_, far_;  // [variables]
};

}  // namespace reprise::fit
