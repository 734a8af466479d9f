// Declared parameters that differ from run to run besides the number of ranks: the size of the
// problem. Each parameter is an axis of its own, for numbers and for times.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "expr/expr.hpp"
#include "infer/samples.hpp"

namespace reprise::extrapolate {

// One parameter: its value in each input, in the order of the inputs, and in the trace to be made.
struct ProblemParameter {
  std::string name;
  std::vector<std::int64_t> values;
  std::int64_t wanted = 0;
};

// The parameters of the runs, in the order of the runs.
class Problem {
 public:
  Problem() = default;
  // `inputs`: of each run, which of the inputs it is.
  Problem(std::span<const ProblemParameter> parameters, std::span<const std::size_t> inputs);

  bool empty() const { return names_.empty(); }
  const std::vector<std::string>& names() const { return names_; }
  const std::vector<std::int64_t>& of_run(std::size_t run) const { return of_run_[run]; }
  const std::vector<std::int64_t>& wanted() const { return wanted_; }

  // The samples with the parameters as further leaves. Samples that are not of all runs, one world
  // for each, are left as they are.
  infer::Samples add_to(infer::Samples samples) const;
  // The parameters by their values in a run, or where the law is wanted.
  std::vector<expr::Binding> bindings_in(std::size_t run) const;
  std::vector<expr::Binding> bindings_wanted() const;

 private:
  std::vector<expr::Binding> bindings(const std::vector<std::int64_t>& values) const;

  std::vector<std::string> names_;
  std::vector<std::vector<std::int64_t>> of_run_;  // [runs x parameters]
  std::vector<std::int64_t> wanted_;               // [parameters]
};

}  // namespace reprise::extrapolate
