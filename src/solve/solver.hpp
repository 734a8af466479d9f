// Finds the law of one number of a program: the shortest expression that explains all samples. A
// law needs evidence, and no rival of about its length may differ from it at the target.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "expr/expr.hpp"
#include "solve/effort.hpp"
#include "solve/samples.hpp"
#include "solve/vocabulary.hpp"

namespace reprise::solve {

// A law that is longer by up to this length may be the right one: 1 to 64 [bits].
inline constexpr std::uint32_t kDoubt = 6;
// A law that is shorter than the samples by this length is not a coincidence [bits].
inline constexpr double kOverwhelming = 32;

struct Law {
  expr::Expr expression;
  std::uint32_t cost = 0;  // [bits]
  Standing standing = Standing::confirmed;
  Divisions divisions = 0;  // in the expression
  BorderSet borders = 0;    // of shares in it
  // Another law that fits, and was left out since it has to round: this one divides without
  // remainder on all samples and where a law is wanted.
  std::optional<expr::Expr> rounded = {};
};

enum class Refused : std::uint8_t {
  too_few_runs,   // the values differ, and are of one run
  no_law,         // none was found
  too_hard,       // none was found before the effort was over
  too_long,       // the law that was found is no shorter than the samples
  negative,       // the law that was found is negative where one is wanted, and no sample is
  not_predicted,  // without the largest run a shorter law is found, which does not predict it
  rivals          // two laws differ where one is wanted
};

struct Outcome {
  std::optional<Law> law;
  Refused refused = Refused::no_law;  // without a law
  // Without a law, the expressions found; with a law, others that are hardly longer and have the
  // same values at the targets.
  std::vector<Law> found = {};
};

// REQUIRES: as many points, values and runs; points and targets have a value for each leaf; the
// samples are in the order of their runs. Laws that are longer than `longest` [bits] are not
// sought. Cost: some ms for most laws, and all of the effort where there is none.
Outcome solve(const Samples& samples, const Vocabulary& vocabulary, Effort& effort,
              std::uint32_t longest = kLongestLaw);
// With an effort of its own.
Outcome solve(const Samples& samples, const Vocabulary& vocabulary = {});

}  // namespace reprise::solve
