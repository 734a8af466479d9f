// The distribution that a histogram stands for, cut at other shares than the histogram is: so that
// histograms of several runs, whose bins hold what they happen to, can be compared bin by bin.
#pragma once

#include <span>
#include <vector>

#include "trace/times/histogram.hpp"

namespace reprise::extrapolate {

// Each bin is taken to be uniform around its mean, as wide as its deviation and range allow.
class Quantiles {
 public:
  // `bins` ascend.
  explicit Quantiles(std::span<const trace::Bin> bins);

  double mean() const { return mean_; }
  // The value below which a share of all values lies, 0 to 1.
  double at(double share) const;

  // The values between two shares. REQUIRES: 0 <= from <= to <= 1.
  struct Part {
    double mean = 0, min = 0, max = 0, deviation = 0;
  };
  Part part(double from, double to) const;

 private:
  struct Stretch {
    double from, to;   // shares
    double low, high;  // values, uniform between
  };

  std::vector<Stretch> stretches_;
  double min_ = 0, max_ = 0, mean_ = 0;
};

}  // namespace reprise::extrapolate
