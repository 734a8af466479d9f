// Laws of what a simulation counts, as functions of the number of ranks: the latencies, the bytes
// and the computation of its longest path.
//
// Unlike measured times (curves.hpp), such numbers have no noise, fall as well as rise, and go up
// in the steps of the algorithms of collectives. A law is a constant plus one term or two with
// coefficients of any sign, fitted with weights 1/y^2. A further term has to halve the
// leave-one-out error. What the smallest numbers of ranks do that others do not, as where a grid
// has no inside, is no part of a law: it may begin at a later sample if that takes three quarters
// of the error away, as long as four samples are left.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace reprise::fit {

enum class ScalingTerm : std::uint8_t {
  one,
  ranks,
  root,
  cube_root,
  log,
  ranks_log,
  inverse,
  inverse_root,
  inverse_cube_root,
  inverse_two_thirds,
  log_over_ranks,
  tree_steps,     // ceil(log2 P): a binomial tree, dissemination
  doubling_steps  // recursive doubling: log2 P, or floor(log2 P) + 2 if P is no power of two
};
double value_of(ScalingTerm term, double ranks);
// "ceil(log2 P)"
std::string_view name_of(ScalingTerm term);
std::optional<ScalingTerm> find_scaling_term(std::string_view name);

struct ScalingLaw {
  std::vector<ScalingTerm> terms;
  std::vector<double> coefficients;
  double error = 0;  // leave-one-out, relative, root of the mean square
  double from = 0;   // the smallest number of ranks that it holds for

  double at(double ranks) const;
  // "12 + 2 ceil(log2 P) + 48 sqrt(P)"
  std::string describe() const;
};

struct ScalingSample {
  double ranks = 0;
  double value = 0;
};

struct ScalingLawFit {
  ScalingLaw law;
  // Laws from the same samples on whose errors are at most twice as large: what they differ by is
  // open.
  std::vector<ScalingLaw> rivals;
};

inline constexpr std::size_t kLeastForScalingLaw = 4;

// REQUIRES: samples ascend in ranks. Nothing: they are fewer than four, or no law is positive where
// the samples are and up to sixteen times as many ranks. Cost: shapes x samples x starts.
std::optional<ScalingLawFit> fit_scaling_law(std::span<const ScalingSample> samples);

}  // namespace reprise::fit
