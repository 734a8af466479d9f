// From traces on a few numbers of ranks to a scalable trace: the laws, and for which numbers they
// hold.
//
// Which law it is may depend on where it is wanted: laws are sought for several numbers of ranks,
// from just above the inputs to a million, each of which must bring the same. The widest class of
// numbers is taken that this is true of (domain.hpp), and within it all up to the largest number
// where it is.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "extrapolate/scalable.hpp"
#include "scalable/scalable_trace.hpp"

namespace reprise::scalable {

// Either a scalable trace, or why there is none: what was found out for the narrowest class.
struct Fitted {
  std::optional<ScalableTrace> trace = {};
  std::int64_t ranks = 0;  // where it failed
  std::vector<extrapolate::Refusal> refused = {};
  std::vector<extrapolate::Contradiction> contradictions = {};
  std::string differs = {};  // which law is another on more ranks, in words
};

// `request`: its ranks, grid and what the sizes are wanted to be are not looked at. `names` are
// what messages call the traces. Cost: that of extrapolating to a dozen numbers of ranks.
Result<Fitted> fit(std::span<const trace::Trace> traces, std::span<const std::string> names,
                   extrapolate::Request request);

}  // namespace reprise::scalable
