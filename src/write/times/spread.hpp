// How computation spreads around its mean: a distribution as the table that the runtime parts of
// generated programs draw from.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/times/histogram.hpp"

namespace reprise::write::times {

class Spread {
 public:
  // Distances from the mean count `share` of what they are. REQUIRES: the histogram has values
  // whose mean is not 0.
  explicit Spread(const trace::Histogram& histogram, double share = 1);

  // The weight of all, the shortest, and then of ranges one behind the other the weight of each and
  // where it ends; lengths in ten-thousandths of the mean. Within a range executions are spread
  // evenly. The mean of all is 1.
  std::vector<std::int64_t> table() const;

  // Of the values of which a share of so much is shorter, by the mean. 0 <= share <= 1.
  double quantile(double share) const;
  // Whether both may be samples of one distribution, as far as who draws from it notices.
  bool resembles(const Spread& other) const;
  double executions() const;

 private:
  struct Range {
    double count, end;
  };

  void add(double count, double end);
  void add_bin(double count, double min, double mean, double max, bool tail_below, bool tail_above);
  double low_ = 0;
  std::vector<Range> ranges_;
};

}  // namespace reprise::write::times
