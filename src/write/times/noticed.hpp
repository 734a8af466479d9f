// Which differences of computation a run notices as a whole: a generated program leaves out what no
// rank would miss.
#pragma once

#include <cstdint>

#include "trace/program.hpp"

namespace reprise::write::times {

class Noticed {
 public:
  explicit Noticed(const trace::Trace& trace);

  // Whether the time is more than a thousandth of what a rank computes in all, or of what the run
  // takes.
  bool matters(double ns) const { return ns > kNoticed * budget_; }
  // The same of so many executions that deviate from their mean [ns]. Noise evens out in part.
  bool is_noise_noticed(std::uint64_t executions, double deviation) const {
    return matters(kOfNoise * static_cast<double>(executions) * deviation);
  }

 private:
  static constexpr double kNoticed = 0.001;
  static constexpr double kOfNoise = 0.5;

  double budget_ = 0;  // [ns]
};

}  // namespace reprise::write::times
