// Laws of values that differ between both streams and executions.
#pragma once

#include <optional>
#include <vector>

#include "program/laws/law.hpp"
#include "program/values/alike.hpp"

namespace reprise::program {

// Peers of MPI_COMM_WORLD that go through the same few laws on all streams, one execution after the
// other: an Alternation. Streams that have one number are covered, too. REQUIRES: the values are
// those of all streams that ask. Cost: distinct laws x streams x leaves, and executions x streams.
std::optional<Law> alternation_of(const Space& space, const Split& values, const ValueSite& site);

// The same of the streams that have one series.
std::optional<Law> alternation_of(const Space& space, const Entered& group, const ValueSite& site);

// An expression of the rank and the loops' indices: a law of the rank plus one of the indices, or
// digits of which each is a sum of coordinates and indices that wraps around an extent of the grid.
// Streams need not execute the place in the same iterations. REQUIRES: the values are those of all
// streams that ask; ranks are ranks of MPI_COMM_WORLD. Cost: streams x executions of an entry x
// candidates for a digit.
std::optional<Law> joint_law_of(const Space& space, const Split& values, const ValueSite& site);

}  // namespace reprise::program
