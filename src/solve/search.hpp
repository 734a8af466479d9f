// The search for the shortest law over the reductions of all families. The parts of a law are
// sought separately, and a part that several laws share is sought once.
#pragma once

#include <cstdint>
#include <vector>

#include "expr/expr.hpp"
#include "solve/effort.hpp"
#include "solve/table.hpp"
#include "solve/vocabulary.hpp"

namespace reprise::solve {

struct Candidate {
  expr::Expr law;
  std::uint32_t cost = 0;  // [bits]
  Divisions divisions = 0;
  BorderSet borders = 0;
};

struct Bounds {
  std::uint32_t longest = kLongestLaw;  // [bits]
  std::uint32_t rivals = 6;             // how much longer than the shortest others may be [bits]
  // Once a law of at most this length is found, laws shorter than expected are not sought [bits].
  std::uint32_t sure = 0;
};

struct Findings {
  // Laws that have the values of all rows of the table: the shortest first, then those that are
  // hardly longer.
  std::vector<Candidate> laws;
  // Whether the search was completed for each length up to that of the shortest law. If not, a law
  // of this length or less may have been missed.
  bool is_complete = true;
};

Findings search(const Table& table, const Vocabulary& vocabulary, const Bounds& bounds,
                Effort& effort);

}  // namespace reprise::solve
