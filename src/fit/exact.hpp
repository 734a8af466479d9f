// Exact laws over the integers: the one formula that a size, a count or a trip count follows, from
// a few samples.
//
// Laws are tried by the number of constants that have to be found, then by what they take to write
// down, then in this order:
//   none   a term: a variable, products of up to three, powers, floor and ceiling of quotients,
//   roots, logarithms, powers of two,
//          the size of a block (remainder to the first, c*n/P boundaries, ceiling blocks)
//   one    c; c * t; t + c; c - t; t + u; t - u; floor and ceiling of c / t and t / c;
//          c * u / t and one more, and u * (c / t), with u a variable or a power of two;
//          blocks of c;
//          quotients and blocks times the size of an element, which all values have in common
//   two    a * t + b; a * (c / t + b); (a + b * i) / t and one more; t + u + c; t - u + c;
//          a * t + b * u; a * (t + b) * (u + b)
//   three  a * t + b * u + c
//   four   combinations of products of the grid's extents, as in ScalaExtrap, section 3.2
// with terms t and u over the variables and rational coefficients, found by exact elimination.
//
// A law counts only if a sample is left over that confirms it: of those that differ in its
// variables, of those that one variable tells apart if that tells all values, and of the numbers of
// ranks where its terms are of these. What fits much by chance takes one more: roundings with a
// second constant, sums of several terms, logarithms and roots. And no law with as few constants
// that is hardly longer (the size of an element apart) may differ from it at a target.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "expr/expr.hpp"

namespace reprise::fit {

// Points are values of the variables. The pairs (rank, ranks) and (xK, dK) are known for what they
// are, and others by their values alone.
struct ExactSamples {
  std::vector<std::string> variables;
  std::vector<std::vector<std::int64_t>> points;   // [samples x variables]
  std::vector<std::int64_t> values;                // [samples]
  std::vector<std::vector<std::int64_t>> targets;  // [targets x variables] where the law is wanted
};

enum class Verdict : std::uint8_t {
  determined,     // explains all samples, at least one more than it has constants
  interpolating,  // goes through all samples, but as many constants as samples always would
  ambiguous,      // another law explains them as well, and differs at a target
  unexplained     // there is no law
};

// A law that costs so much more [bits] may still be the right one: the odds are one to 64.
inline constexpr std::uint32_t kDoubt = 6;

struct ExactLaw {
  Verdict verdict = Verdict::unexplained;
  expr::Expr law = {};
  unsigned constants = 0;  // that were found from the samples
  std::uint32_t cost = 0;  // what it takes to write down [bits]
  std::optional<expr::Expr> runner_up = {};
  // Why the law is refused, in words; empty if it is determined.
  std::string refusal = {};
};

// REQUIRES: points and targets have a value for each variable; as many values as points.
// Cost: microseconds for laws of no or one constant, up to milliseconds for the others.
ExactLaw fit_exact(const ExactSamples& samples);

}  // namespace reprise::fit
