// The leaves that a law needs: without them the samples contradict each other.
#pragma once

#include <set>
#include <string>

#include "infer/samples.hpp"

namespace reprise::extrapolate {

struct Needed {
  infer::Samples samples;  // with the parameters that are needed
  bool rank = true;        // if not, one rank stands for all of a world: number 0
};

// Drops the rank, then the parameters that are not declared, in their order, each if the value is a
// function of the remaining ones. Equal rows become one. Those of `kept` are not dropped. Cost:
// rows x parameters^2.
Needed drop_needless(const infer::Samples& samples, const std::set<std::string>& kept = {});

// The trips of the loops whose indices are among the parameters `needed`. They are the same
// throughout a run, so a law can do without them, but may become longer: the number of remaining
// iterations is the trip count minus the index.
std::set<std::string> trips_of_needed(const infer::Samples& needed, const infer::Samples& all);

}  // namespace reprise::extrapolate
