// Why a parameter has no law.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "expr/expr.hpp"
#include "solve/solver.hpp"

namespace reprise::extrapolate {

struct NoLaw {
  enum class Why : std::uint8_t {
    no_samples,
    one_run,         // has it, and there it is no constant
    not_found,       // no expression explains the samples
    too_hard,        // none was found before the search was over
    too_long,        // as long as the samples
    negative,        // where one is wanted
    not_predicted,   // is not found without the largest run
    rivals,          // two that differ where one is wanted
    unseen_grid,     // is on a grid that no neighbors show
    grids,           // its parts follow different grids
    no_grid_wanted,  // the grid that neighbors show does not exist for the ranks that are wanted:
                     // `said`
    missing_grid,    // its grid does not exist for the ranks of all runs
    not_evaluated,   // `said` is why
    frozen,          // a number may be an extent: `said`
    depth,           // counts from the depth of a recursion that is not told
    not_local        // its communicator tells nothing
  };

  Why why = Why::not_found;
  std::vector<expr::Expr> found = {};      // laws that explain the samples
  std::optional<std::int64_t> ranks = {};  // of a run that would tell them apart
  std::string said = {};                   // where `why` does not say it
  bool is_local = false;                   // in the call's communicator
  bool has_distribution = false;           // --approximate would take it for one
  bool has_mean = false;                   // --approximate would take it for its mean
};

// Why the solver has none. REQUIRES: an outcome without a law.
NoLaw no_law(const solve::Outcome& outcome);

// The message for the user, in one line.
std::string describe(const NoLaw& no_law);

template <class T>
using Inference = Result<T, NoLaw>;

}  // namespace reprise::extrapolate
