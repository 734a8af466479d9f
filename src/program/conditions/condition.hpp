// Conditions that distinguish some of the streams that execute a place from the others.
//
// Tried from the most readable on: comparisons of one number (a coordinate, the rank), a range, a
// remainder; the same of several numbers joined by && (sets that are products) or by || (sets whose
// complement is one). A set whose condition would be longer than a list of its ranks stays a set.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "program/grid/space.hpp"
#include "program/laws/cost.hpp"

namespace reprise::program {

// Of more streams neither conditions nor laws are looked for.
inline constexpr std::size_t kMostStreams = std::size_t{1} << 18;

struct Condition {
  std::optional<expr::Expr> expression;  // none: the set itself is the shortest that is known
  Bits bits = 0;
};

// REQUIRES: `some` is a subset of `all`, both in order. Cost: leaves x streams x log.
Condition condition_of(const Space& space, const Streams& some, const Streams& all);

// The same, asked for once for each pair of sets.
class Conditions {
 public:
  // REQUIRES: the space outlives it.
  explicit Conditions(const Space& space) : space_(space) {}

  const Space& space() const { return space_; }
  Condition of(const Streams& some, const Streams& all);

 private:
  struct Known {
    Streams some, all;
    Condition condition;
  };

  const Space& space_;
  std::unordered_map<std::uint64_t, Known> known_;  // by a hash of both sets
};

}  // namespace reprise::program
