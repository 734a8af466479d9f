#include "extrapolate/laws/no_law.hpp"

#include "expr/print.hpp"

namespace reprise::extrapolate {
namespace {

std::string reason(const NoLaw& no_law) {
  using Why = NoLaw::Why;
  const auto quoted = [&](std::size_t i) { return "'" + print(no_law.found.at(i)) + "'"; };
  switch (no_law.why) {
    case Why::no_samples: return "there are no samples";
    case Why::one_run: return "it occurs in only one run and is not constant there; add a run";
    case Why::not_found: return "no expression explains the samples";
    case Why::too_hard: return "no expression was found before the search reached its bound";
    case Why::too_long:
      return quoted(0) +
             " explains the samples, but takes as many bits as they do, and may fit by chance";
    case Why::negative: return quoted(0) + " explains the samples, but is negative at the target";
    case Why::not_predicted:
      return quoted(0) + " explains the samples, but is not found without the largest run";
    case Why::rivals: return quoted(0) + " and " + quoted(1) + " both fit the samples";
    case Why::unseen_grid:
      return quoted(0) + " explains the samples, but on a grid that no neighbors show";
    case Why::grids: return "its parts follow different grids";
    case Why::no_grid_wanted: return no_law.said;
    case Why::missing_grid: return "its grid does not exist for the ranks of all runs";
    case Why::not_evaluated:
    case Why::frozen: return no_law.said;
    case Why::depth:
      return "it counts from the depth of a recursion, and the samples do not determine its splits";
    case Why::not_local: return "its communicator does not explain it";
  }
  return {};
}

}  // namespace

NoLaw no_law(const solve::Outcome& outcome) {
  NoLaw out;
  for (const solve::Law& law : outcome.found) out.found.push_back(law.expression);
  using solve::Refused;
  switch (outcome.refused) {
    case Refused::too_few_runs: out.why = NoLaw::Why::one_run; break;
    case Refused::no_law: out.why = NoLaw::Why::not_found; break;
    case Refused::too_hard: out.why = NoLaw::Why::too_hard; break;
    case Refused::too_long: out.why = NoLaw::Why::too_long; break;
    case Refused::negative: out.why = NoLaw::Why::negative; break;
    case Refused::not_predicted: out.why = NoLaw::Why::not_predicted; break;
    case Refused::rivals: out.why = NoLaw::Why::rivals; break;
  }
  return out;
}

std::string describe(const NoLaw& no_law) {
  std::string out = reason(no_law);
  if (no_law.why == NoLaw::Why::rivals && no_law.ranks) {
    out += "; a run on " + std::to_string(*no_law.ranks) + " ranks would decide";
  }
  if (no_law.is_local) out += " (in the call's communicator)";
  if (no_law.has_distribution) out += "; --approximate takes them for a distribution";
  if (no_law.has_mean) out += "; --approximate takes their mean";
  return out;
}

}  // namespace reprise::extrapolate
