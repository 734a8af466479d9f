// Tables whose entry the index of a loop selects, whichever streams execute an iteration.
//
// At the border of a grid ranks skip iterations, so that each has a table of its own over its
// executions. Over the iterations they have one: the sides that a sweep comes from, octant after
// octant.
#pragma once

#include <optional>

#include "program/conditions/condition.hpp"
#include "program/laws/law.hpp"
#include "program/values/alike.hpp"

namespace reprise::program {

enum class Entries : std::uint8_t { numbers, peers };

// The same number, or law of peers, for all streams that execute an iteration of a loop around:
// a Sequence or an Alternation. None: there is none, or there are too many entries. REQUIRES: the
// values are those of all streams that ask; peers are ranks of MPI_COMM_WORLD. Cost: streams x
// executions of an entry, and distinct laws x streams x leaves.
std::optional<Law> iteration_law_of(const Space& space, const Split& values, const ValueSite& site,
                                    Entries entries);

// Of values that are 0 or 1: a condition on the index of a loop of few iterations and the rank,
// "i == 0 && x > 0 || i == 1 && y > 0". None: some iteration has none. REQUIRES and cost: as above.
std::optional<expr::Expr> iteration_condition_of(Conditions& conditions, const Split& values,
                                                 const ValueSite& site);

// A number where such a condition holds, and 0 elsewhere: "x == i ? 8 : 0", the trip count of a
// loop within a condition. The number is an expression of the rank. REQUIRES and cost: as above.
std::optional<Law> conditional_law_of(Conditions& conditions, const Split& values,
                                      const ValueSite& site);

}  // namespace reprise::program
